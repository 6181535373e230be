// SPDX-License-Identifier: Apache-2.0
package import AutofillService
import Credentials
import EventLoop
package import Prompting

/// Answers the service's questions in the person's place: by a consent that stands, or as a test says.
package final class TestPerson: Person {
    private var consent: Consent
    private let loop: EventLoop
    private let thread: LoopThread
    private var open: [Open] = []
    /// The account that is picked where there are several, counted from 0.
    var picked = 0

    private struct Open {
        var question: ConsentQuestion?
        var approval: Approval?
        /// Of one for the passphrase.
        var prompt: Prompt?
        let answer: Wait<Answer>
    }

    private enum Answer {
        case consent(ConsentAnswer?)
        case approval(Bool?)
        case passphrase(PromptOutcome)
    }

    init(_ consent: Consent, on loop: EventLoop, _ thread: LoopThread) {
        self.thread = thread
        self.consent = consent
        self.loop = loop
    }

    package var canConfirm: Bool { consent.canConfirm }
    package var canGivePassphrase: Bool { consent.canGivePassphrase }

    /// What shows on the screen now.
    var questions: [ConsentQuestion] { open.compactMap(\.question) }
    var approvals: [Approval] { open.compactMap(\.approval) }
    var passphrasePrompts: [Prompt] { open.compactMap(\.prompt) }

    package func answer(_ question: ConsentQuestion) async -> ConsentAnswer? {
        thread.note()
        guard canGivePassphrase else {
            return consent.answer(app: question.subject.app, service: question.service.value)
        }
        guard case .consent(let answer) = await ask(Open(question: question, answer: Wait(on: loop))) else {
            return nil
        }
        return answer
    }

    package func pick(_ question: ConsentQuestion) async -> (answer: ConsentAnswer, place: Int)? {
        let answer = await answer(question)
        return answer.map { ($0, picked) }
    }

    package func approve(_ approval: Approval) async -> Bool? {
        thread.note()
        guard canGivePassphrase else {
            return consent.answer(app: approval.bundleID, service: "*").map { $0 == .once || $0 == .allow }
        }
        guard case .approval(let isApproved) = await ask(Open(approval: approval, answer: Wait(on: loop))) else {
            return nil
        }
        return isApproved
    }

    package func givePassphrase(_ prompt: Prompt) async -> PromptOutcome {
        thread.note()
        guard case .passphrase(let outcome) = await ask(Open(prompt: prompt, answer: Wait(on: loop))) else {
            return .withdrawn
        }
        return outcome
    }

    /// nil where the question was taken back.
    private func ask(_ question: Open) async -> Answer? {
        open.append(question)
        defer { open.removeAll { $0.answer === question.answer } }
        return try? await question.answer.value()
    }

    // MARK: - The test's side

    func answer(_ question: ConsentQuestion, _ answer: ConsentAnswer?) -> Bool {
        end(.consent(answer)) { $0.question == question }
    }

    func answer(_ approval: Approval, isApproved: Bool?) -> Bool {
        end(.approval(isApproved)) { $0.approval?.prompt.description == approval.prompt.description }
    }

    func givePassphrase(_ outcome: PromptOutcome) -> Bool {
        end(.passphrase(outcome)) { $0.question == nil && $0.approval == nil }
    }

    private func end(_ answer: Answer, where fits: (Open) -> Bool) -> Bool {
        open.first { fits($0) && !$0.answer.isEnded }?.answer.resume(returning: answer) ?? false
    }
}

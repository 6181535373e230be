// SPDX-License-Identifier: Apache-2.0
package import AutofillService
import Credentials
import EventLoop
package import Prompting

/// Answers the service's questions for the user: by a fixed consent, or as a test decides.
package final class AnsweringPrompter: UserPrompter {
    private var consent: Consent
    private let loop: EventLoop
    private let thread: LoopThread
    private var open: [Open] = []
    /// The account that is picked where there are several, counted from 0.
    var picked = 0
    /// Whether a prompt that is withdrawn stays on the screen until the test answers it, as while its program ends.
    var keepsWithdrawn = false

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

    private var canGivePassphrase: Bool { consent.canGivePassphrase }

    package func canConfirm(at target: PromptTarget) -> Bool { consent.canConfirm }
    package func canGivePassphrase(at target: PromptTarget) -> Bool { canGivePassphrase }

    /// What shows on the screen now.
    var questions: [ConsentQuestion] { open.compactMap(\.question) }
    var approvals: [Approval] { open.compactMap(\.approval) }
    var passphrasePrompts: [Prompt] { open.compactMap(\.prompt) }

    package func answer(
        _ question: ConsentQuestion, at target: PromptTarget
    ) async throws(PromptUnavailable) -> ConsentAnswer {
        thread.note()
        guard canGivePassphrase else {
            return try available(consent.answer(app: question.subject.app, service: question.service.value))
        }
        guard case .consent(let answer) = await ask(Open(question: question, answer: Wait(on: loop))) else {
            throw PromptUnavailable()
        }
        return try available(answer)
    }

    package func pick(
        _ question: ConsentQuestion, at target: PromptTarget
    ) async throws(PromptUnavailable) -> (answer: ConsentAnswer, index: Int) {
        (try await answer(question, at: target), picked)
    }

    package func approve(_ approval: Approval, at target: PromptTarget) async throws(PromptUnavailable) -> Bool {
        thread.note()
        guard canGivePassphrase else {
            let answer = try available(consent.answer(app: approval.bundleID, service: "*"))
            return answer == .once || answer == .login || answer == .allow
        }
        guard case .approval(let isApproved) = await ask(Open(approval: approval, answer: Wait(on: loop))) else {
            throw PromptUnavailable()
        }
        return try available(isApproved)
    }

    private func available<Answer>(_ answer: Answer?) throws(PromptUnavailable) -> Answer {
        guard let answer else { throw PromptUnavailable() }
        return answer
    }

    package func givePassphrase(_ prompt: Prompt, at target: PromptTarget) async -> PromptOutcome {
        thread.note()
        guard case .passphrase(let outcome) = await ask(Open(prompt: prompt, answer: Wait(on: loop))) else {
            return .withdrawn
        }
        return outcome
    }

    /// nil where the question was cancelled.
    private func ask(_ question: Open) async -> Answer? {
        open.append(question)
        defer { open.removeAll { $0.answer === question.answer } }
        var onCancel: (@Sendable () -> Void)?
        if keepsWithdrawn { onCancel = {} }
        return try? await question.answer.value(onCancel: onCancel)
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

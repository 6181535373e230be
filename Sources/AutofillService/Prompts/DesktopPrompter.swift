// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
package import Prompting
internal import SecretMemory
internal import Settings

/// Asks the user at the desktop by a prompter; for an app's own tests, answers by a fixed consent.
package final class DesktopPrompter: UserPrompter {
    private var consent: Consent
    private let prompter: Prompter

    package init(_ consent: Consent, _ prompter: Prompter) {
        self.consent = consent
        self.prompter = prompter
    }

    package func canConfirm(at target: PromptTarget) -> Bool { isAsked(at: target) || consent.canConfirm }
    package func canGivePassphrase(at target: PromptTarget) -> Bool { isAsked(at: target) }

    /// Whether the user is asked: also in a daemon for tests, once a terminal was attached to prompts.
    private func isAsked(at target: PromptTarget) -> Bool { consent.canGivePassphrase || target.terminal != nil }

    package func givePassphrase(_ prompt: Prompt, at target: PromptTarget) async -> PromptOutcome {
        await prompter.using(target.program, among: target.list, on: target.terminal)
            .ask(prompt, within: .milliseconds(Limits.promptMilliseconds))
    }

    private func show(_ prompt: Prompt, at target: PromptTarget) async throws(PromptUnavailable) -> PromptOutcome {
        let outcome = await givePassphrase(prompt, at: target)
        if case .unavailable(let reason) = outcome { throw PromptUnavailable(reason) }
        return outcome
    }

    /// The answer of a daemon for tests.
    private func fixedAnswer(app: String, service: String) throws(PromptUnavailable) -> ConsentAnswer {
        guard let answer = consent.answer(app: app, service: service) else { throw PromptUnavailable() }
        return answer
    }

    package func answer(
        _ question: ConsentQuestion, at target: PromptTarget
    ) async throws(PromptUnavailable) -> ConsentAnswer {
        guard isAsked(at: target) else {
            return try fixedAnswer(app: question.subject.app, service: question.service.value)
        }
        switch try await show(question.first, at: target) {
        case .answered(let answer): return answer
        case .confirmed: return await remembered(question, at: target)
        case .declined: return await isConfirmed(question.afterNo, at: target) ? .never : .deny
        case .withdrawn, .timedOut, .passphrase, .unavailable: return .deny
        }
    }

    package func pick(
        _ question: ConsentQuestion, at target: PromptTarget
    ) async throws(PromptUnavailable) -> (answer: ConsentAnswer, index: Int) {
        guard isAsked(at: target) else {
            return (try fixedAnswer(app: question.subject.app, service: question.service.value), 0)
        }
        let pages = question.pages
        var (page, tries, error) = (0, 0, String?.none)
        // Every page as often as there are tries; then it is a no.
        for _ in 0..<pages.count * Limits.pickTries where tries < Limits.pickTries {
            let prompt = question.pick(from: pages[page], isLast: pages.count == 1, error: error)
            switch try await show(prompt, at: target) {
            case .passphrase(let typed):
                switch typed.number {
                case 0 where pages.count > 1:
                    (page, error) = ((page + 1) % pages.count, nil)
                case let number? where (1...question.accounts.count).contains(number):
                    return (await remembered(question, at: target), number - 1)
                default:
                    tries += 1
                    error = "Type one of the numbers."
                }
            case .declined, .withdrawn, .timedOut, .confirmed, .answered, .unavailable: return (.deny, 0)
            }
        }
        return (.deny, 0)
    }

    /// Whether the yes is to be remembered, and for how long.
    private func remembered(_ question: ConsentQuestion, at target: PromptTarget) async -> ConsentAnswer {
        guard let prompt = question.afterYes else { return .once }
        switch await givePassphrase(prompt, at: target) {
        case .confirmed: return .allow
        case .answered(let answer): return answer
        case .declined, .withdrawn, .timedOut, .passphrase, .unavailable: return .once
        }
    }

    /// The second question, where there is one: any outcome but a yes is a no.
    private func isConfirmed(_ prompt: Prompt?, at target: PromptTarget) async -> Bool {
        guard let prompt, case .confirmed = await givePassphrase(prompt, at: target) else { return false }
        return true
    }

    package func approve(_ approval: Approval, at target: PromptTarget) async throws(PromptUnavailable) -> Bool {
        guard isAsked(at: target) else {
            let answer = try fixedAnswer(app: approval.bundleID, service: "*")
            return answer == .once || answer == .login || answer == .allow
        }
        if case .confirmed = try await show(approval.prompt, at: target) { return true }
        return false
    }
}

extension SecretBytes {
    /// The number that was typed, of four digits at most; nil for anything else.
    fileprivate var number: Int? {
        guard 1...4 ~= count else { return nil }
        return withUnsafeBytes { digits in
            var number: Int? = 0
            for digit in digits {
                number = digit &- 0x30 < 10 ? number.map { $0 * 10 + Int(digit &- 0x30) } : nil
            }
            return number
        }
    }
}

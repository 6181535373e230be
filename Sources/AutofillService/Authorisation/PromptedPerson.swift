// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
package import Prompting
internal import SecretMemory
internal import Settings

/// Who shows a prompt, and where.
package typealias PromptPlace = (program: String?, list: PrompterList, terminal: PromptSurroundings.Terminal?)

/// The person at the desktop, asked by a prompter; or, for an app's own tests, what stands in their place.
package final class PromptedPerson: Person {
    private var consent: Consent
    private let prompter: Prompter
    /// The program that is set, what may be set, and the terminal that was given to prompts. Set by the engine.
    var place: () -> PromptPlace = { (nil, PrompterList(), nil) }
    /// Told why nobody could be asked. Set by the engine.
    var onUnavailable: (String) -> Void = { _ in }

    package init(_ consent: Consent, _ prompter: Prompter) {
        self.consent = consent
        self.prompter = prompter
    }

    package var canConfirm: Bool { isAsked || consent.canConfirm }
    package var canGivePassphrase: Bool { isAsked }

    /// Whether the person themselves are asked: also in a daemon for tests, once a terminal was given to prompts.
    private var isAsked: Bool { consent.canGivePassphrase || place().terminal != nil }

    private func show(_ prompt: Prompt) async -> PromptOutcome {
        let place = place()
        let outcome = await prompter.using(place.program, among: place.list, on: place.terminal)
            .ask(prompt, within: .milliseconds(Limits.promptMilliseconds))
        if case .unavailable(let why) = outcome { onUnavailable(why) }
        return outcome
    }

    package func givePassphrase(_ prompt: Prompt) async -> PromptOutcome { await show(prompt) }

    package func answer(_ question: ConsentQuestion) async -> ConsentAnswer? {
        guard isAsked else {
            return consent.answer(app: question.subject.app, service: question.service.value)
        }
        switch await show(question.first) {
        case .confirmed: return await isConfirmed(question.afterYes) ? .allow : .once
        case .declined: return await isConfirmed(question.afterNo) ? .never : .deny
        case .unavailable: return nil
        case .withdrawn, .timedOut, .passphrase: return .deny
        }
    }

    package func pick(_ question: ConsentQuestion) async -> (answer: ConsentAnswer, place: Int)? {
        guard isAsked else {
            return consent.answer(app: question.subject.app, service: question.service.value).map { ($0, 0) }
        }
        let pages = question.pages
        var (page, tries, error) = (0, 0, String?.none)
        // Every page as often as there are tries; then it is a no.
        for _ in 0..<pages.count * Limits.pickTries where tries < Limits.pickTries {
            switch await show(question.pick(from: pages[page], isLast: pages.count == 1, error: error)) {
            case .passphrase(let typed):
                switch typed.number {
                case 0 where pages.count > 1:
                    (page, error) = ((page + 1) % pages.count, nil)
                case let number? where (1...question.accounts.count).contains(number):
                    return (await isConfirmed(question.afterYes) ? .allow : .once, number - 1)
                default:
                    tries += 1
                    error = "Type one of the numbers."
                }
            case .unavailable: return nil
            case .declined, .withdrawn, .timedOut, .confirmed: return (.deny, 0)
            }
        }
        return (.deny, 0)
    }

    /// The second question, where there is one: whatever comes of it but a yes is a no.
    private func isConfirmed(_ prompt: Prompt?) async -> Bool {
        guard let prompt, case .confirmed = await show(prompt) else { return false }
        return true
    }

    package func approve(_ approval: Approval) async -> Bool? {
        guard isAsked else {
            return consent.answer(app: approval.bundleID, service: "*").map { $0 == .once || $0 == .allow }
        }
        switch await show(approval.prompt) {
        case .confirmed: return true
        case .unavailable: return nil
        case .declined, .timedOut, .passphrase, .withdrawn: return false
        }
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

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
package import Prompting
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

    package var canConfirm: Bool { consent.canConfirm }
    package var canGivePassphrase: Bool { consent.canGivePassphrase }

    private func show(_ prompt: Prompt) async -> PromptOutcome {
        let place = place()
        let outcome = await prompter.using(place.program, among: place.list, on: place.terminal)
            .ask(prompt, within: .milliseconds(Limits.promptMilliseconds))
        if case .unavailable(let why) = outcome { onUnavailable(why) }
        return outcome
    }

    package func givePassphrase(_ prompt: Prompt) async -> PromptOutcome { await show(prompt) }

    package func answer(_ question: ConsentQuestion) async -> ConsentAnswer? {
        guard consent.canGivePassphrase else {
            return consent.answer(app: question.subject.app, service: question.service.value)
        }
        switch await show(question.first) {
        case .confirmed: return await isConfirmed(question.afterYes) ? .allow : .once
        case .declined: return await isConfirmed(question.afterNo) ? .never : .deny
        case .unavailable: return nil
        case .withdrawn, .timedOut, .passphrase: return .deny
        }
    }

    /// The second question, where there is one: whatever comes of it but a yes is a no.
    private func isConfirmed(_ prompt: Prompt?) async -> Bool {
        guard let prompt, case .confirmed = await show(prompt) else { return false }
        return true
    }

    package func approve(_ approval: Approval) async -> Bool? {
        guard consent.canGivePassphrase else {
            return consent.answer(app: approval.bundleID, service: "*").map { $0 == .once || $0 == .allow }
        }
        switch await show(approval.prompt) {
        case .confirmed: return true
        case .unavailable: return nil
        case .declined, .timedOut, .passphrase, .withdrawn: return false
        }
    }
}

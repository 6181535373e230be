// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import Prompting
internal import Settings

/// Shows prompts, one at a time: the user's own before others, those of different programs alternately.
final class PromptScreen {
    private let prompter: any UserPrompter
    private let settings: SettingsInForce
    private let attachment: PrompterAttachment
    private let journal: Journal
    private let lock: AsyncLock

    init(
        _ prompter: any UserPrompter, _ settings: SettingsInForce, _ attachment: PrompterAttachment, _ journal: Journal,
        _ environment: ServiceContext
    ) {
        self.prompter = prompter
        self.settings = settings
        self.attachment = attachment
        self.journal = journal
        lock = AsyncLock(environment.loop)
    }

    /// Where the next prompt shows.
    private var target: PromptTarget {
        PromptTarget(
            program: settings.effective.prompter?.text, list: settings.layers.prompters, terminal: attachment.terminal)
    }

    var canConfirm: Bool { prompter.canConfirm(at: target) }
    var canGivePassphrase: Bool { prompter.canGivePassphrase(at: target) }

    /// Waits until no other prompt shows; nil where the question was cancelled before that.
    func show<Outcome>(for requester: PromptQuotas.Requester, _ ask: () async -> Outcome) async -> Outcome? {
        guard await lock.enter(as: requester.quotaKey, isFirst: requester.isCommandLine) else { return nil }
        defer { lock.leave() }
        return await ask()
    }

    /// The user's answer, and the index of the account that was picked.
    typealias Picked = (answer: ConsentAnswer, index: Int)

    /// nil where nobody could be asked.
    func answer(_ question: ConsentQuestion) async -> Picked? {
        do throws(PromptUnavailable) {
            if question.isPick { return try await prompter.pick(question, at: target) }
            return (try await prompter.answer(question, at: target), 0)
        } catch {
            note(error)
            return nil
        }
    }

    /// Whether a request may administer; nil where nobody could be asked.
    func approve(_ approval: Approval) async -> Bool? {
        do throws(PromptUnavailable) { return try await prompter.approve(approval, at: target) } catch {
            note(error)
            return nil
        }
    }

    func givePassphrase(_ prompt: Prompt) async -> PromptOutcome {
        let outcome = await prompter.givePassphrase(prompt, at: target)
        if case .unavailable(let reason) = outcome { note(PromptUnavailable(reason)) }
        return outcome
    }

    private func note(_ error: PromptUnavailable) {
        if let reason = error.reason { journal.log(.warning, "[AutoFill] Cannot ask the user: \(reason)") }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Prompting

/// Asks the user the daemon's questions. Each method waits for the answer; its task is cancelled when nobody waits for that any
/// more, and then removes the question from the screen.
package protocol UserPrompter {
    /// Whether there is anyone to ask about an app.
    func canConfirm(at target: PromptTarget) -> Bool
    /// Whether there is anyone who knows the passphrase.
    func canGivePassphrase(at target: PromptTarget) -> Bool
    func answer(_ question: ConsentQuestion, at target: PromptTarget) async throws(PromptUnavailable) -> ConsentAnswer
    /// Which of several accounts, counted from 0.
    func pick(
        _ question: ConsentQuestion, at target: PromptTarget
    ) async throws(PromptUnavailable) -> (answer: ConsentAnswer, index: Int)
    /// Whether a request may administer.
    func approve(_ approval: Approval, at target: PromptTarget) async throws(PromptUnavailable) -> Bool
    /// Shows a prompt for the passphrase.
    func givePassphrase(_ prompt: Prompt, at target: PromptTarget) async -> PromptOutcome
}

/// Where a prompt shows: the program that is set, what may be set, and the terminal that was attached to prompts.
package struct PromptTarget {
    package let program: String?
    package let list: PrompterList
    package let terminal: PromptEnvironment.Terminal?
}

/// Nobody could be asked.
package struct PromptUnavailable: Error {
    /// Why, where that is for the journal.
    package let reason: String?

    package init(_ reason: String? = nil) { self.reason = reason }
}

/// A request that administers and has a prompt for its proof: what the user is asked.
package struct Approval: Sendable {
    /// The bundle ID that the connection claims.
    package let bundleID: String
    package let prompt: Prompt
}

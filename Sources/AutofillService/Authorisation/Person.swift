// SPDX-License-Identifier: Apache-2.0
package import Prompting

/// Whoever answers the daemon's questions. Each method waits for the answer; its task is cancelled when nobody waits for that any
/// more, and then takes the question away.
package protocol Person {
    /// Whether there is anyone to ask about an app.
    var canConfirm: Bool { get }
    /// Whether there is anyone who knows the passphrase.
    var canGivePassphrase: Bool { get }
    /// nil: nobody could be asked.
    func answer(_ question: ConsentQuestion) async -> ConsentAnswer?
    /// Which of several accounts, counted from 0; nil: nobody could be asked.
    func pick(_ question: ConsentQuestion) async -> (answer: ConsentAnswer, place: Int)?
    /// Whether a request may administer. nil: nobody could be asked.
    func approve(_ approval: Approval) async -> Bool?
    /// Shows a prompt for the passphrase.
    func givePassphrase(_ prompt: Prompt) async -> PromptOutcome
}

/// A request that administers and has a prompt for its proof: what the person is asked.
package struct Approval: Sendable {
    /// What the connection says it is.
    package let bundleID: String
    package let prompt: Prompt
}

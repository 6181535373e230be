// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import AutofillService
package import CredentialStorage
package import Credentials
package import EventLoop
package import Prompting
package import Settings

/// The world around the service, as the test plays it.
extension TestService {
    /// The vault that was opened last, for tests that damage it.
    package var vault: Vault? { parts.vault }

    /// The file that opens the vault without the user.
    package var keyFile: String? {
        get { parts.keyFile }
        set { parts.keyFile = newValue }
    }

    /// What is in force.
    package var settings: DaemonSettings { engine.assumeIsolated { $0.settings } }

    /// Whether the world was called on the loop's thread only.
    package var wasOnItsThread: Bool { !parts.thread.wasLeft }

    /// Has a server send the answers from now on: connections of the service's own get none any more.
    ///
    /// - Parameter arm: has the server's end of the turn run.
    package func leave(through arm: @escaping () -> Void) { parts.armServer = arm }

    // MARK: - The user

    /// What the user is asked on the screen now: with `consent: .user` the test answers.
    package var questions: [ConsentQuestion] { parts.prompter.questions }
    package var approvals: [Approval] { parts.prompter.approvals }
    package var passphrasePrompts: [Prompt] { parts.prompter.passphrasePrompts }
    /// Whether a prompt for the passphrase shows.
    package var asksPassphrase: Bool { !passphrasePrompts.isEmpty }

    /// Whether prompts that are withdrawn stay on the screen until the test answers them, as while their program ends.
    package var keepsWithdrawnPrompts: Bool {
        get { parts.prompter.keepsWithdrawn }
        set { parts.prompter.keepsWithdrawn = newValue }
    }

    /// The user's answer to a prompt; dropped where it shows no more.
    ///
    /// - Parameter settles: whether the service is notified now, or in the next turn.
    package func answer(_ question: ConsentQuestion, _ answer: ConsentAnswer?, settles: Bool = true) throws {
        _ = parts.prompter.answer(question, answer)
        if settles { try settle() }
    }

    /// Picks one of several accounts, counted from 0.
    package func pick(_ place: Int, of question: ConsentQuestion, _ answer: ConsentAnswer) throws {
        parts.prompter.picked = place
        try self.answer(question, answer)
    }

    package func answer(_ approval: Approval, isApproved: Bool?) throws {
        _ = parts.prompter.answer(approval, isApproved: isApproved)
        try settle()
    }

    package func givePassphrase(_ outcome: PromptOutcome) throws {
        _ = parts.prompter.givePassphrase(outcome)
        try settle()
    }

    // MARK: - Sites

    /// What sites answer; nothing can be reached unless a test sets it.
    package var sites: (AssociationQuery) -> AssociationReport {
        get { parts.sites.answer }
        set { parts.sites.answer = newValue }
    }

    /// Whether sites have not answered yet.
    package var areSitesSilent: Bool {
        get { parts.sites.isSilent }
        set { parts.sites.isSilent = newValue }
    }

    /// The sites that are asked and have not answered.
    package var askedSites: [AssociationQuery] { parts.sites.asked.map(\.query) }

    /// A site answers that was silent.
    package func answer(_ query: AssociationQuery, with report: AssociationReport) throws {
        _ = parts.sites.end(query, with: report)
        try settle()
    }

    // MARK: - Session and time

    /// The session or the machine changes; it has ended when the keys are gone that are to go.
    @discardableResult
    package func follow(_ signal: SessionSignal, keyFile: String?) throws -> Ending<Void> {
        self.keyFile = keyFile
        return try begin { await $0.follow(signal) }
    }

    // MARK: - Work under way

    /// Sends a line whose work waits until the test has it done; nil where there is none.
    package func begin(_ line: String, _ connection: ServiceConnection) throws -> HeldWork? {
        let before = parts.work.count
        parts.work.holdsNew = true
        defer { parts.work.holdsNew = false }
        try send(Array(line.utf8), connection.client)
        return parts.work.held(after: before)
    }

    /// Sends a call whose work waits until the test has it done; without work where there is none.
    package func begin<Call: MethodCall>(
        _ call: Call, _ connection: ServiceConnection
    ) throws -> (SentCall<Call>, HeldWork?) {
        let before = parts.work.count
        parts.work.holdsNew = true
        defer { parts.work.holdsNew = false }
        return (try connection.send(call), parts.work.held(after: before))
    }

    /// Has work done, and all that comes of it.
    package func finish(_ work: HeldWork) throws {
        parts.work.release(work)
        try settle()
    }

    /// Has work done, and all that comes of it; the lines that the connection gets.
    package func finish(_ work: HeldWork, _ connection: ServiceConnection) throws -> [String] {
        parts.work.release(work)
        try settle()
        return connection.received()
    }

    /// Runs one piece of work, and returns the next.
    package func step(_ work: HeldWork) throws -> HeldWork? {
        let before = parts.work.count
        parts.work.holdsNew = true
        defer { parts.work.holdsNew = false }
        parts.work.release(work)
        try settle()
        return parts.work.held(after: before)
    }

    /// Runs work on another thread: the service is notified only in the next turn of its loop.
    package func runAside(_ work: HeldWork) { parts.work.runAside(work) }
}

extension ManualClock {
    /// The wall clock.
    package var now: Timestamp { Timestamp(milliseconds: wall) }

    package func advance(milliseconds: Int64) { advance(by: .milliseconds(milliseconds)) }
}

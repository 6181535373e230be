// SPDX-License-Identifier: Apache-2.0
internal import Settings

/// What happens to the vault.
enum VaultEvent {
    case unlocked
    case locked(ServiceEvent.LockCause)
    /// Anything that is saved may be another: a backup has replaced the vault, or records went into quarantine.
    case contentReplaced
    /// Other secrets open it.
    case secretsChanged
    /// Something for the journal.
    case journal(JournalEvent)
}

/// Receives what happens to the vault.
protocol VaultObserver: AnyObject {
    func vault(_ event: VaultEvent, causedBy request: RequestContext?)
}

/// What follows from events of the vault in the rest of the service.
final class VaultFollowUp: VaultObserver {
    private let journal: Journal
    private let events: EventHub
    private let terminals: TerminalProofs
    private let prompts: PromptQueue
    private let sessions: SessionList
    private let apps: AppDirectory
    private let associations: SiteAssociations
    private let audit: Audit

    init(
        _ journal: Journal, _ events: EventHub, _ terminals: TerminalProofs, _ prompts: PromptQueue,
        _ sessions: SessionList, _ apps: AppDirectory, _ associations: SiteAssociations, _ audit: Audit
    ) {
        self.journal = journal
        self.events = events
        self.terminals = terminals
        self.prompts = prompts
        self.sessions = sessions
        self.apps = apps
        self.associations = associations
        self.audit = audit
    }

    func vault(_ event: VaultEvent, causedBy request: RequestContext?) {
        switch event {
        case .unlocked:
            terminals.endAll()
            journal.log(.info, "[AutoFill] The vault was unlocked")
            events.announce(.vaultUnlocked, causedBy: request)
            prompts.noteUnlocked()
        case .locked(let cause):
            terminals.endAll()
            journal.log(.info, "[AutoFill] The vault was locked: \(cause.text)")
            events.announce(.vaultLocked(cause), causedBy: request)
            forgetNames()
        case .contentReplaced:
            // What is on record is in the record of the vault that was here.
            audit.forgetNames()
            sessions.codes.removeAll()
            events.announce(.allCredentialsChanged, causedBy: request)
        case .secretsChanged:
            terminals.endAll()
            for session in sessions.all.values { session.memory.export = nil }
        case .journal(let event): journal.log(event)
        }
    }

    /// Deletes the codes that came in, and what is remembered of names of users and sites beside the vault: it was locked.
    private func forgetNames() {
        sessions.codes.removeAll()
        for session in sessions.all.values { session.forgetNames() }
        sessions.runs.removeAll()
        apps.forgetDomains()
        associations.forgetDecisions()
        audit.forgetNames()
    }
}

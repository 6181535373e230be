// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import CredentialStorage
package import Credentials
package import Reasons
internal import SecretMemory
internal import Settings

/// All remembered decisions of the user, for administration.
package struct GrantRecords {
    private let vault: VaultKeeper
    private let settings: SettingsInForce
    private let browsers: BrowserConsents

    init(_ vault: VaultKeeper, _ settings: SettingsInForce, _ browsers: BrowserConsents) {
        (self.vault, self.settings, self.browsers) = (vault, settings, browsers)
    }

    package func requireOpenVault() throws(Unsettled) { _ = try vault.unlocked() }

    package func grant(_ id: ObjectID) throws(Unsettled) -> Grant? {
        try vault.read { readers throws(VaultError) in try readers.grants.get(id) }
    }

    package func grants(app: String, service: Service) throws(Unsettled) -> [Grant] {
        try vault.read { readers throws(VaultError) in try readers.grants.all(app: app, service: service) }
    }

    package func grants(after id: ObjectID?, limit: Int) throws(Unsettled) -> VaultPage<Grant, ObjectID> {
        try vault.read { readers throws(VaultError) in try readers.grants.page(after: id, limit: limit) }
    }

    /// The consents for all web sites that browsers have now; they are in memory only.
    package var browserGrants: [Grant] {
        guard settings.effective.askInBrowser == .once else { return [] }
        return browsers.grants(replacements: vault.replacements)
    }
}

/// Changes remembered decisions by command, with what follows from that.
package struct GrantWriter {
    private let vault: VaultKeeper
    private let consents: ConsentRecorder
    private let sessions: SessionList

    package init(_ vault: VaultKeeper, _ consents: ConsentRecorder, _ sessions: SessionList) {
        (self.vault, self.consents, self.sessions) = (vault, consents, sessions)
    }

    package func put(
        _ decision: Grant.Decision, for subject: Subject, _ service: Service
    ) throws(Refusal) -> Grant {
        var entropy = vault.environment.entropy
        let id = ObjectID.random(.grant, using: &entropy)
        return try vault.write { writers, now throws(VaultError) in
            try writers.grants.put(
                Grant(
                    id: id, subject: subject, service: service, decision: decision, created: now, origin: "command"))
        }
    }

    package func revoke(_ id: ObjectID) throws(Refusal) -> Bool {
        try vault.write { writers, _ throws(VaultError) in try writers.grants.revoke(id) }
    }

    /// - Returns: false where no browser has consent of that id.
    package func revokeBrowserConsent(_ id: ObjectID) -> Bool { consents.revokeBrowserConsent(id) }

    /// What was decided before is decided again.
    package func noteChange() { vault.environment.revision.advance() }

    /// What the user answered to prompts about an app no longer counts: they have decided otherwise since.
    package func forgetDenials(of app: String) { consents.forgetDenials(of: app) }

    /// What the user allowed the connections of an app is decided again: items, its own data, and all that was allowed for a script's
    /// run.
    package func forgetConsents(of app: String) {
        for session in sessions.all.values where session.app?.bundleID.text.utf8.elementsEqual(app.utf8) == true {
            session.memory.consents = SessionConsents()
        }
        sessions.runs.removeAll()
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import SecretMemory
internal import Settings

/// Whether what the person typed is saved: by setting, by the person's word, and not where they said never.
extension AutofillBroker {
    /// What stands for every service in the word that nothing more of an app is to be saved. No domain is called so.
    static let everyService = Service(kind: .domain, value: "*")

    /// Throws where it is not to be saved; where the setting says so the person is asked.
    ///
    /// - Returns: whether the person has just said so; false where the setting says it for all.
    func confirmSaving(
        _ service: Service, _ user: String, isReplacing: Bool, _ interaction: Interaction, _ client: Client
    ) throws(RefusedRequest) -> Bool {
        let subject = try subject(of: client)
        let names: [Refusal.Parameter: String] = [
            .app: subject.app, .domain: service.value, .settings: configuration.settingsPath,
        ]
        let open = try vault.unlocked()
        let never = try attempting { () throws(VaultError) in
            try open.grants(app: subject.app, service: Self.everyService)
        }
        if configuration.settings.saveSubmitted == .never || !never.isEmpty {
            throw RefusedRequest(.saveDisabled, names)
        }
        if configuration.settings.saveSubmitted == .always { return false }
        if client.allowedOnce.contains(Allowance(.save, service)) { return true }
        if interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(
            .save(user: user), client, service,
            detail: isReplacing ? "It takes the place of the password that is saved for this user name." : "",
            unasked: Refusal(.saveUnconfirmed, names))
    }

    /// Remembers that nothing more of this app is to be saved, whichever program speaks for it.
    func neverSave(of subject: Subject) throws(RefusedRequest) {
        let word = Grant(
            id: .random(.grant, using: &entropy),
            subject: Subject(app: subject.app, assurance: Assurance.claimed.rawValue, executable: ""),
            service: Self.everyService, decision: .deny, created: now, origin: "prompt")
        let open = try vault.unlocked()
        _ = try attempting { () throws(VaultError) in try open.put(word) }
    }
}

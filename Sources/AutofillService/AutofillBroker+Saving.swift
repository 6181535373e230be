// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Prompting
internal import Reasons
internal import SecretMemory
internal import Settings

/// Whether what the person typed is saved: by setting, by the person's word, and not where they said never.
extension AutofillBroker {
    /// What stands for every service in the word that nothing more of an app is to be saved. No domain is called so.
    static let everyService = Service(kind: .domain, value: "*")

    /// Throws where it is not to be saved.
    ///
    /// - Returns: whether the person has just said so; false where the setting says it for all.
    func confirmSaving(
        _ service: Service, _ interaction: Interaction, _ client: Client
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
        if interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        switch configuration.consent.answer(app: subject.app, service: service.value) {
        case nil: throw RefusedRequest(.saveUnconfirmed, names)
        case .once, .allow: return true
        case .deny: throw RefusedRequest(.consentDenied, names)
        case .never:
            try neverSave(of: subject)
            throw RefusedRequest(.saveDisabled, names)
        }
    }

    /// Remembers that nothing more of this app is to be saved, whichever program speaks for it.
    private func neverSave(of subject: Subject) throws(RefusedRequest) {
        let word = Grant(
            id: .random(.grant, using: &entropy),
            subject: Subject(app: subject.app, assurance: Assurance.claimed.rawValue, executable: ""),
            service: Self.everyService, decision: .deny, created: now, origin: "prompt")
        let open = try vault.unlocked()
        _ = try attempting { () throws(VaultError) in try open.put(word) }
    }
}

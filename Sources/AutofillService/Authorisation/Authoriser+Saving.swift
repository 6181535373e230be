// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// Whether what the person typed is saved.
extension Authoriser {
    /// What stands for every service in the word that nothing more of an app is to be saved. No domain is called so.
    private static let everyService = Service(kind: .domain, value: "*")

    /// Throws where it is not to be saved; where the setting says so the person is asked.
    ///
    /// - Returns: whether the person has just said so; false where the setting says it for all.
    func confirmSaving(
        _ request: RequestContext, _ service: Service, _ user: String, isReplacing: Bool
    ) throws(RefusedRequest) -> Bool {
        let names = try namesToSave(request, service)
        if settings.effective.saveSubmitted == .always { return false }
        let matter = ConsentQuestion.Matter.save(user: user, isReplacing: isReplacing)
        if try request.isAllowed(matter, service) { return true }
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(
            matter, request, service,
            detail: isReplacing ? "It takes the place of the password that is saved for this user name." : "",
            unasked: Refusal(.saveUnconfirmed, names))
    }

    /// Which of several accounts what was typed is for, as the person says, which is their yes to saving it too; nil where the
    /// setting has nobody asked. Throws where it is not to be saved.
    func pickToSave(
        _ request: RequestContext, _ service: Service, among accounts: [PromptedAccount]
    ) throws(RefusedRequest) -> PromptedAccount? {
        let names = try namesToSave(request, service)
        if settings.effective.saveSubmitted == .always { return nil }
        if let picked = try request.pick(of: service, toSave: true) {
            return accounts.first { $0.id == picked.account }
        }
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(
            .saveFor(accounts: accounts), request, service, unasked: Refusal(.saveUnconfirmed, names))
    }

    /// What a refusal to save names; throws where the person has said that nothing is to be saved.
    private func namesToSave(
        _ request: RequestContext, _ service: Service
    ) throws(RefusedRequest) -> [Refusal.Parameter: String] {
        let subject = try request.session.subject()
        let names: [Refusal.Parameter: String] = [
            .app: subject.app, .domain: service.asArgument, .settings: settings.path,
        ]
        let open = try vault.unlocked()
        let never = try attempting { () throws(VaultError) in
            try open.readers.grants.all(app: subject.app, service: Self.everyService)
        }
        if settings.effective.saveSubmitted == .never || !never.isEmpty {
            throw RefusedRequest(.saveDisabled, names)
        }
        return names
    }

    /// Remembers that nothing more of this app is to be saved, whichever program speaks for it.
    func neverSave(of subject: Subject) throws(RefusedRequest) {
        var entropy = surroundings.entropy
        let word = Grant(
            id: .random(.grant, using: &entropy),
            subject: Subject(app: subject.app, assurance: Assurance.claimed.rawValue, executable: ""),
            service: Self.everyService, decision: .deny, created: clock.now, origin: "prompt")
        let open = try vault.unlocked()
        _ = try attempting { () throws(VaultError) in try open.writers.grants.put(word) }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension GrantRevoke: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        let open = try modules.vault.unlocked()
        let id = try id()
        if let word = modules.browserGrants.first(where: { $0.id == id }) {
            return "take back that the browser \(shown(word.subject.app)) may fill at every web site"
        }
        guard let grant = try attempting({ () throws(VaultError) in try open.readers.grants.get(id) }) else {
            throw Self.unknown
        }
        let (app, service) = (shown(grant.subject.app), shown(grant.service.value))
        return grant.decision == .allow
            ? "take back that the app \(app) may \(grant.service.kind.granted) \(service)"
            : "take back that the app \(app) is kept from what is saved for \(service)"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let open = try modules.vault.unlocked()
        let id = try id()
        modules.surroundings.revision.advance()
        if modules.authoriser.browserWords.revoke(id) { return Changed(true) }
        guard let grant = try attempting({ () throws(VaultError) in try open.readers.grants.get(id) }) else {
            return Changed(false)
        }
        modules.forgetItemWords(of: grant.subject.app)
        return Changed(try attempting { () throws(VaultError) in try open.writers.grants.revoke(id) })
    }

    private func id() throws(RefusedRequest) -> ObjectID {
        guard let id = ObjectID(grant), id.kind == .grant else { throw Self.unknown }
        return id
    }

    private static var unknown: RefusedRequest { .invalid("grant", "the id of a grant, from admin.grant.list") }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension GrantRevoke: JudgedCall {
    typealias Area = GrantMethods

    enum Decision: Sendable {
        case grant(Grant)
        /// No grant of the vault: a browser's consent, or none.
        case other(ObjectID)
    }

    func promptText(_ views: GrantViews) throws(Unsettled) -> String? {
        try views.grants.requireOpenVault()
        let id = try id()
        if let consent = views.grants.browserGrants.first(where: { $0.id == id }) {
            return "revoke the decision that the browser \(shown(consent.subject.app)) may fill at every web site"
        }
        guard let grant = try views.grants.grant(id) else { throw Self.unknown }
        let (app, service) = (shown(grant.subject.app), shown(grant.service.value))
        return grant.decision == .allow
            ? "revoke the decision that the app \(app) may \(grant.service.kind.granted) \(service)"
            : "revoke the decision that the app \(app) is refused what is saved for \(service)"
    }

    func judge(_ views: GrantViews, _ request: RequestView) throws(Unsettled) -> Decision {
        try views.grants.requireOpenVault()
        let id = try id()
        return try views.grants.grant(id).map { .grant($0) } ?? .other(id)
    }

    func act(on decision: Decision, _ grants: GrantWriter) throws(Refusal) -> Changed {
        grants.noteChange()
        switch decision {
        case .grant(let grant):
            grants.forgetConsents(of: grant.subject.app)
            return Changed(try grants.revoke(grant.id))
        case .other(let id): return Changed(grants.revokeBrowserConsent(id))
        }
    }

    private func id() throws(Unsettled) -> ObjectID {
        guard let id = ObjectID(grant), id.kind == .grant else { throw Self.unknown }
        return id
    }

    private static var unknown: Unsettled { .invalid("grant", "the id of a grant, from admin.grant.list") }
}

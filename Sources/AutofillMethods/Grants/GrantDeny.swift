// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// Denies an app what is saved for a service, whatever program claims to be this app; what was allowed is revoked.
extension GrantDeny: JudgedCall {
    typealias Area = GrantMethods

    struct Decision: Sendable {
        let subject: Subject
        let service: Credentials.Service
        /// The user's decisions about this app and service so far.
        let grants: [Grant]
    }

    func promptText(_ views: GrantViews) -> String? {
        "deny the app \(shown(bundleID)) access to what is saved for \(shown(target.text))"
    }

    func judge(_ views: GrantViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let app = try AutofillMethods.bundleID(bundleID, allowingMade: target.secrets != nil)
        let service = try views.deniable(target, to: app, request)
        return Decision(
            subject: Subject(app: app.text, assurance: Assurance.claimed.rawValue, executable: ""), service: service,
            grants: try views.grants.grants(app: app.text, service: service))
    }

    func act(on decision: Decision, _ grants: GrantWriter) throws(Refusal) -> Answer {
        grants.noteChange()
        grants.forgetConsents(of: decision.subject.app)
        for grant in decision.grants where grant.decision == .allow && grant.subject != decision.subject {
            _ = try grants.revoke(grant.id)
        }
        if let same = decision.grants.first(where: { $0.subject == decision.subject && $0.decision == .deny }) {
            let isOnly = !decision.grants.contains { $0.decision == .allow }
            return Answer(grant: GrantReport(same), changed: !isOnly)
        }
        let denial = try grants.put(.deny, for: decision.subject, decision.service)
        return Answer(grant: GrantReport(denial), changed: true)
    }
}

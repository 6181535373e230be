// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity

/// Denies an app what is saved for a service, whatever program says that it is this app; what was allowed is taken
/// back.
extension GrantDeny: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "keep the app \(shown(bundleID)) from what is saved for \(shown(service.value))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let bundleID = try modules.bundleID(bundleID, allowingMade: service.isOfSecretService)
        let service = try modules.deniable(service, to: bundleID, request)
        let open = try modules.vault.unlocked()
        let subject = Subject(app: bundleID.text, assurance: Assurance.claimed.rawValue, executable: "")
        let known = try attempting { () throws(VaultError) in
            try open.readers.grants.all(app: bundleID.text, service: service)
        }
        modules.surroundings.revision.advance()
        modules.forgetItemWords(of: bundleID.text)
        for grant in known where grant.decision == .allow && grant.subject != subject {
            _ = try attempting { () throws(VaultError) in try open.writers.grants.revoke(grant.id) }
        }
        if let same = known.first(where: { $0.subject == subject && $0.decision == .deny }) {
            let isOnly = !known.contains { $0.decision == .allow }
            return Answer(grant: GrantReport(same), changed: !isOnly)
        }
        var entropy = modules.surroundings.entropy
        let denial = Grant(
            id: .random(.grant, using: &entropy), subject: subject, service: service, decision: .deny,
            created: modules.clock.now, origin: "command")
        let kept = try attempting { () throws(VaultError) in try open.writers.grants.put(denial) }
        return Answer(grant: GrantReport(kept), changed: true)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
internal import Reasons

/// What is suggested for forms, and filled into them.
extension Access {
    /// To what is saved for the service of a form's site, as a suggestion: under the user's remembered decision, else to the client's
    /// own alone. It waits for nothing.
    package func toSuggest(
        _ service: Service?, of site: AutofillFacts.Site, _ request: RequestView
    ) throws(Unsettled) -> Result<Permit, RefusedRequest> {
        let facts = policy.facts(for: request, site: site, consent: .granted(""))
        let refusals = try examination(facts, for: .savedCredential, request).refusals
        guard refusals.isEmpty, let service else { return .failure(RefusedRequest(refusals)) }
        let grant = try grants.remembered(service, request)
        guard grant?.decision != .deny else {
            let app = request.bundleID?.text ?? ""
            return .failure(RefusedRequest(.grantDenied, [.app: app, .domain: service.asArgument]))
        }
        return .success(Permit(service, grant.map { Authorisation.granted($0.id) } ?? .ownOnly))
    }

    /// To the only account of a service, where a grant holds or the app saved it itself; else to the one that the user picks: the app
    /// learns of no other. Without a grant the answer, and whether the user is asked, is the same whatever is saved. With proof it is
    /// the one that was used last.
    package func toCredential(
        of service: Service, _ request: RequestView
    ) throws(Unsettled) -> (Sealed<Credential>, Permit) {
        if request.isProven {
            let last = try credentials.passwords(of: service, limit: 1, request) { _, _ in true }
            return (try first(of: last), Permit(service, .granted(nil)))
        }
        try examine(service, for: .savedCredential, request)
        let (grant, granted) = (try grants.allowing(service, request), apps.granted(service, request.app))
        if let picked = try request.pick(of: granted) {
            let account = try credentials.passwords(of: service, limit: 1, request) { id, _ in id == picked.account }
            return (try first(of: account), Permit(service, .granted(grant)))
        }
        let page = try credentials.passwords(of: service, limit: Limits.listDefault, request) { _, _ in true }
        if page.elements.count <= 1, page.next == nil {
            let isOwn = page.elements.contains { request.owns(.password, of: $0.id, $0.version) }
            if isOwn { return (try first(of: page), Permit(service, .ownOnly)) }
            if grant != nil { return (try first(of: page), Permit(service, .granted(grant))) }
        }
        let names: [Refusal.Parameter: String] = [.app: try request.subject().app, .domain: service.asArgument]
        if request.interaction == .forbid { throw Unsettled(.interactionRequired, names) }
        let accounts = page.elements.map { PromptedAccount(id: $0.id, user: $0.user) }
        throw try questions.asking(
            .fillOne(accounts: accounts, isGranted: grant != nil), request, granted,
            unasked: Refusal(grant != nil ? .interactionRequired : .grantMissing, names))
    }

    private func first(of page: CredentialReader.Page) throws(Unsettled) -> Sealed<Credential> {
        guard let id = page.elements.first?.id, let found = try credentials.credential(id) else {
            throw Unsettled(.credentialNotFound)
        }
        return found
    }
}

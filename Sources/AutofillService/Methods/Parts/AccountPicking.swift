// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The account that is filled where the app names none: it learns of no other.
extension Modules {
    /// The only account of a service, where a grant holds or the app saved it itself; else the one that the person picks. Without
    /// a grant the answer, and whether the person is asked, is the same whatever is saved.
    func account(
        of service: Service, for request: RequestContext
    ) throws(RefusedRequest) -> (Credential, Authorisation) {
        if request.isProven { return (try only(find(service, nil, request, .granted(nil))), .granted(nil)) }
        try authoriser.examine(request, service, for: .savedCredential)
        let grant = try authoriser.standing(request.session, service)
        let site = apps.granted(service, request.session)
        if let picked = try request.pick(of: site) {
            let found = try saved(for: service, kind: .password, request.session, after: nil, limit: 1) { id, _ in
                id == picked.account
            }
            guard let id = found.elements.first?.id else { throw RefusedRequest(.credentialNotFound) }
            return (try credential(named: id.description), .granted(grant))
        }
        let (saved, hasMore) = try visible(service, request, .granted(nil))
        let isOne = saved.count <= 1 && !hasMore
        let isOwn =
            isOne && !saved.isEmpty && saved.allSatisfy { request.session.memory.ownership.owns($0.id, $0.version) }
        if isOne, grant != nil || isOwn {
            return (try only(find(service, nil, request, .granted(grant))), isOwn ? .ownOnly : .granted(grant))
        }
        let names: [Refusal.Parameter: String] = [.app: try request.session.subject().app, .domain: service.asArgument]
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        let accounts = saved.map { PromptedAccount(id: $0.id, user: $0.user) }
        throw try authoriser.asking(
            .fillOne(accounts: accounts, isGranted: grant != nil), request, site,
            unasked: Refusal(grant == nil ? .grantMissing : .interactionRequired, names))
    }

    private func only(_ found: Credential?) throws(RefusedRequest) -> Credential {
        guard let found else { throw RefusedRequest(.credentialNotFound) }
        return found
    }
}

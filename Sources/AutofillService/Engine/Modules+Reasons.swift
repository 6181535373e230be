// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Every reason that holds is told, also where the first one alone would refuse.
extension Modules {
    /// A vault that is not open hides nothing else that is wanting: of an app that could not be served with an open vault either,
    /// what stands in its way is told beside the vault.
    func withEveryReason(_ error: RefusedRequest, _ request: RequestContext) -> RefusedRequest {
        let row = request.method.declaration
        guard case .refused(let refusals) = error, row.needsIdentity, row.needsUnlockedVault, !request.bringsProof,
            let closed = vaultRefusal, refusals.map(\.reason) == [closed.reason]
        else { return error }
        let purpose: Examination.Purpose = row.needsAssociation ? .save : .keychainItem
        let site = row.needsAssociation ? apps.unnamedSite(request.session) : .unnamed
        let facts = authoriser.facts(for: request, site: site)
        let others = Examination(of: facts, for: purpose).refusals.filter { $0.reason != closed.reason }
        let isRegistered = row.needsRegistration || others.contains { $0.reason == .identityMismatch }
        return others.isEmpty || !isRegistered ? error : RefusedRequest(others + refusals)
    }

    /// Why the vault cannot be used as it is; nil where it is open, or at work and soon back.
    private var vaultRefusal: Refusal? {
        do throws(RefusedRequest) {
            _ = try vault.unlocked()
        } catch {
            if case .refused(let refusals) = error { return refusals.first }
        }
        return nil
    }

    /// What a request gets that brings no proof where some is needed; with the vault's reason, which proof cannot mend.
    func proofRequired(_ row: MethodDeclaration) -> RefusedRequest {
        let closed = row.needsUnlockedVault ? vaultRefusal : nil
        return RefusedRequest([closed, Refusal(.proofRequired)].compactMap(\.self))
    }

    /// The credential of that id, as far as the client may know that there is one: an app gets the same answer for one of a site
    /// that is not its own as for none.
    func credential(named text: String?, for request: RequestContext) throws(RefusedRequest) -> Credential {
        if request.isProven { return try password(named: text) }
        let found: Credential?
        do throws(RefusedRequest) {
            found = try credential(named: text)
        } catch {
            guard case .refused(let refusals) = error, refusals.map(\.reason) == [.credentialNotFound] else {
                throw error
            }
            found = nil
        }
        if let found, found.kind == .password, try authoriser.reached(found, request) != nil { return found }
        throw try unknown(.credentialNotFound, request)
    }

    /// What an app gets for an id that is nobody's, or is not for it.
    func unknown(_ reason: Reason, _ request: RequestContext) throws(RefusedRequest) -> RefusedRequest {
        if request.isProven { return RefusedRequest(reason) }
        try authoriser.examine(request, apps.unnamedSite(request.session), for: .savedCredential)
        return RefusedRequest(reason)
    }
}

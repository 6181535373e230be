// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        service.map { "list the user names saved for \(shown($0.value))" } ?? "list all user names that are saved"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        guard !deleted, let service else { return try listAll(request, modules) }
        let named = try modules.apps.service(service, request)
        let authorisation = try modules.authorise(request, toReach: .password, of: named)
        if !request.isProven { try request.confirmPeer() }
        let found = try modules.saved(
            for: named, request.session, after: try position(), limit: page.limit
        ) { authorisation.shows(.password, of: $0, $1, to: request.session) }
        return Answer(
            credentials: modules.summaries(found.elements, authorisation, request), next: found.next?.description)
    }

    /// Behind which the page begins: a place in the order of last use, also where what was there is gone.
    private func position() throws(RefusedRequest) -> CredentialPosition? {
        guard let cursor = page.cursor else { return nil }
        guard let position = CredentialPosition(cursor) else {
            throw .invalid("cursor", "the cursor of the page before")
        }
        return position
    }

    /// Those of all services, or those that are deleted: only with proof.
    private func listAll(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        guard request.isProven else { throw modules.proofRequired(Self.declaration) }
        let open = try modules.vault.unlocked()
        let after = try page.after()
        let found = try attempting { () throws(VaultError) in
            deleted
                ? try open.readers.credentials.deleted(after: after, limit: page.limit)
                : try open.readers.credentials.page(after: after, limit: page.limit)
        }
        return Answer(
            credentials: found.elements.map { AutofillProtocol.CredentialSummary($0, showsDetails: true) },
            next: found.next?.description)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension CredentialList: JudgedCall {
    typealias Area = CredentialMethods
    typealias Decision = Answer

    func promptText(_ views: CredentialViews) -> String? {
        service.map { "list the user names saved for \(shown($0.value))" } ?? "list all user names that are saved"
    }

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Answer {
        guard !deleted, let service else { return try listAll(views, request) }
        let named = try views.sites.service(service, request)
        let permit = try views.access.toAccess(.password, of: named, request)
        if !request.isProven { try request.confirmPeer() }
        let found = try views.saved.passwords(
            of: named, kind: nil, after: try page.after(), limit: page.limit, request
        ) { permit.shows(.password, of: $0, $1, to: request) }
        return Answer(
            credentials: try views.summaries(found.elements, under: permit, request), next: found.next?.description)
    }

    /// Those of all services, or those that are deleted: only with proof.
    private func listAll(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try views.saved.requireProof(request)
        let found = try views.saved.all(deleted: deleted, after: try page.after(), limit: page.limit)
        return Answer(
            credentials: found.elements.map { AutofillProtocol.CredentialSummary($0, showsDetails: true) },
            next: found.next?.description)
    }
}

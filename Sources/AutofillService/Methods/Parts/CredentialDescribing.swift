// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Credentials as the wire has them.
extension Modules {
    /// As far as the client may see what others than itself noted of them.
    func summaries(
        _ found: [CredentialStorage.CredentialSummary], _ authorisation: Authorisation, _ request: RequestContext
    ) -> [AutofillProtocol.CredentialSummary] {
        found.map {
            AutofillProtocol.CredentialSummary($0, showsDetails: showsDetails(of: $0, authorisation, request))
        }
    }

    /// Whether label, notes, tags, fields and further services are shown: under a grant, and to who set them.
    func showsDetails(
        of summary: CredentialStorage.CredentialSummary, _ authorisation: Authorisation, _ request: RequestContext
    ) -> Bool {
        guard case .ownOnly = authorisation else { return true }
        if request.session.memory.ownership.ownsDetails(summary.id, summary.version) { return true }
        guard let writer = summary.detailsWriter else { return false }
        return (try? authoriser.isOwn(writer, of: request.session)) == true
    }
}

extension AutofillProtocol.CredentialSummary {
    init(_ summary: CredentialStorage.CredentialSummary, showsDetails: Bool) {
        self.init(
            credential: summary.id.description, kind: summary.kind.rawValue,
            services: summary.services.prefix(showsDetails ? .max : 1).map(SavedService.init), user: summary.user,
            label: showsDetails ? summary.label : "", tags: showsDetails ? summary.tags : [],
            collection: showsDetails ? summary.collection : "", version: wireVersion(summary.version),
            created: summary.created.description, modified: summary.changed.description,
            lastUsed: summary.lastUsed?.description, deleted: summary.deleted?.description)
    }
}

extension SavedService {
    init(_ saved: CredentialService) {
        self.init(ServiceIdentifier(saved.service), match: saved.match.rawValue)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

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

    /// The same of a whole record, which is not copied.
    init(_ found: FoundRecord<Credential>, showsDetails: Bool) {
        self.init(
            credential: found.record.id.description, kind: found.record.kind.rawValue,
            services: found.record.services.prefix(showsDetails ? .max : 1).map(SavedService.init),
            user: found.record.user, label: showsDetails ? found.record.details.label : "",
            tags: showsDetails ? found.record.details.tags : [],
            collection: showsDetails ? found.record.details.collection : "",
            version: wireVersion(found.record.version), created: found.record.created.description,
            modified: found.record.changed.description, lastUsed: found.record.lastUsed?.description,
            deleted: found.record.deleted?.description)
    }
}

extension SavedService {
    init(_ saved: CredentialService) {
        self.init(ServiceIdentifier(saved.service), match: saved.match.rawValue)
    }
}

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

    /// The same of a whole record, without a summary in between.
    init(_ credential: Credential, showsDetails: Bool) {
        let details = showsDetails ? credential.details : CredentialDetails()
        self.init(
            credential: credential.id.description, kind: credential.kind.rawValue,
            services: credential.services.prefix(showsDetails ? .max : 1).map(SavedService.init),
            user: credential.user, label: details.label, tags: details.tags, collection: details.collection,
            version: wireVersion(credential.version), created: credential.created.description,
            modified: credential.changed.description, lastUsed: credential.lastUsed?.description,
            deleted: credential.deleted?.description)
    }
}

extension SavedService {
    init(_ saved: CredentialService) {
        self.init(ServiceIdentifier(saved.service), match: saved.match.rawValue)
    }
}

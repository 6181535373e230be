// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The data that the user adds to a credential besides user name and password.
package struct CredentialDetails: Sendable {
    /// Empty where there is none.
    package var label: String
    /// A secret: in no list.
    package var notes: SecretBytes?
    package var tags: [String]
    package var fields: [CustomField]
    /// Its collection; empty: none.
    package var collection: String
    /// The subject that set any of these last; nil: none has.
    package var writer: Subject?

    package init(
        label: String = "", notes: SecretBytes? = nil, tags: [String] = [], fields: [CustomField] = [],
        collection: String = "", writer: Subject? = nil
    ) {
        self.label = label
        self.notes = notes
        self.tags = tags
        self.fields = fields
        self.collection = collection
        self.writer = writer
    }
}

extension CredentialDetails: Equatable {
    /// Compares bytes, and not the writer.
    package static func == (left: CredentialDetails, right: CredentialDetails) -> Bool {
        func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
        return same(left.label, right.label) && same(left.collection, right.collection)
            && left.tags.elementsEqual(right.tags, by: same) && left.fields == right.fields
            && SecretBytes.equal(left.notes, right.notes)
    }
}

/// A change of a credential's details and services; nil: unchanged.
package struct DetailsChange: Sendable {
    package var label: String?
    /// Empty for none.
    package var notes: SecretBytes?
    package var tags: [String]?
    package var fields: [CustomField]?
    package var collection: String?
    /// All of them; the first one stays the one that the credential was saved for.
    package var services: [CredentialService]?

    package init(
        label: String? = nil, notes: SecretBytes? = nil, tags: [String]? = nil, fields: [CustomField]? = nil,
        collection: String? = nil, services: [CredentialService]? = nil
    ) {
        self.label = label
        self.notes = notes
        self.tags = tags
        self.fields = fields
        self.collection = collection
        self.services = services
    }

    /// Anything but services is set.
    package var changesDetails: Bool {
        label != nil || notes != nil || tags != nil || fields != nil || collection != nil
    }
}

extension Credential {
    /// Sets what is to be changed. The unknown fields of a service or a field that stays are kept.
    package mutating func apply(_ change: DetailsChange, by writer: Subject) {
        var new = details
        if let label = change.label { new.label = label }
        if let notes = change.notes { new.notes = notes.count > 0 ? notes : nil }
        if let tags = change.tags { new.tags = tags }
        if let collection = change.collection { new.collection = collection }
        if let fields = change.fields {
            new.fields = fields.map { field in
                let old = details.fields.first { $0.name.utf8.elementsEqual(field.name.utf8) }
                return CustomField(
                    name: field.name, value: field.value, isSecret: field.isSecret, unknown: old?.unknown ?? [])
            }
        }
        if new != details {
            new.writer = writer
            details = new
        }
        guard let services = change.services else { return }
        self.services = services.map { service in
            let old = self.services.first { $0.service == service.service }
            return CredentialService(service.service, match: service.match, unknown: old?.unknown ?? [])
        }
    }
}

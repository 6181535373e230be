// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What is to be set of a credential besides its password; what is nil stays as it is.
package struct CredentialChanges: Message {
    package let label: String?
    package let notes: SecretBytes?
    package let tags: [String]?
    package let fields: [CustomFieldValue]?
    package let services: [SavedService]?
    package let collection: String?

    package init(
        label: String? = nil, notes: SecretBytes? = nil, tags: [String]? = nil, fields: [CustomFieldValue]? = nil,
        services: [SavedService]? = nil, collection: String? = nil
    ) {
        (self.label, self.notes, self.tags, self.fields) = (label, notes, tags, fields)
        (self.services, self.collection) = (services, collection)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            label: try field(
                optional: "label", \.label, .string(0...Limits.credentialLabelBytes),
                "What a person calls it; empty for nothing."),
            notes: try field(
                optional: "notes", \.notes, .secret(0...Limits.notesBytes), "A secret; empty for nothing."),
            tags: try field(
                optional: "tags", \.tags, .strings(limit: Limits.tags, bytes: 1...Limits.tagBytes), "All of them."),
            fields: try field(
                optional: "fields", \.fields, .objects(limit: Limits.customFields), "Fields of one's own: all of them."),
            services: try field(
                optional: "services", \.services, .objects(limit: Limits.servicesPerCredential),
                "All that it is for, beginning with the one that it was saved for."),
            collection: try field(
                optional: "collection", \.collection, .string(0...Limits.collectionBytes),
                "What it is filed under; empty for nothing."))
    }
}

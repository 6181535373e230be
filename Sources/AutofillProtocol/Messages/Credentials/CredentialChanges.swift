// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Changes of a credential besides its password. What is nil is not changed.
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
                "The user's name for it; empty for none."),
            notes: try field(
                optional: "notes", \.notes, .secret(0...Limits.notesBytes), "A secret; empty for nothing."),
            tags: try field(
                optional: "tags", \.tags, .strings(limit: Limits.tags, bytes: 1...Limits.tagBytes), "All of them."),
            fields: try field(
                optional: "customFields", \.fields, .objects(limit: Limits.customFields),
                "Fields of one's own: all of them."),
            services: try field(
                optional: "services", \.services, .objects(limit: Limits.servicesPerCredential),
                """
                All that it is for, beginning with the one that it was saved for. With a prompt as proof at most \
                `promptedServices` (2) may be added, removed or matched differently, and the user name stays.
                """),
            collection: try field(
                optional: "collection", \.collection, .string(0...Limits.collectionBytes),
                "What it is filed under; empty for nothing."))
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A credential without its secrets.
package struct CredentialSummary: Message, Hashable {
    package let credential: String
    package let kind: String
    package let services: [SavedService]
    package let user: String
    package let label: String
    package let tags: [String]
    package let collection: String
    package let version: String
    package let created: String
    package let modified: String
    package let lastUsed: String?
    package let deleted: String?

    package init(
        credential: String, kind: String = "password", services: [SavedService], user: String, label: String = "",
        tags: [String] = [], collection: String = "", version: String, created: String, modified: String,
        lastUsed: String?, deleted: String? = nil
    ) {
        (self.credential, self.kind, self.services, self.user) = (credential, kind, services, user)
        (self.label, self.tags, self.collection, self.version) = (label, tags, collection, version)
        (self.created, self.modified, self.lastUsed, self.deleted) = (created, modified, lastUsed, deleted)
    }

    /// The one that it was saved for.
    package var service: ServiceIdentifier {
        services.first?.service ?? ServiceIdentifier(type: "", value: "")
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .id, "Its id."),
            kind: try field(
                "kind", \.kind, .string(1...64),
                "`password`; what a later version saved may be another, and is not filled."),
            services: try field(
                "services", \.services, .objects(),
                "All services that it is for; the first is the one that it was saved for."),
            user: try field("user", \.user, .string(0...Limits.userBytes), "The user name."),
            label: try field(
                "label", \.label, .string(0...Limits.credentialLabelBytes), absent: "", "The user's name for it."),
            tags: try field("tags", \.tags, .strings(), absent: [], "The user's tags."),
            collection: try field(
                "collection", \.collection, .string(0...Limits.collectionBytes), absent: "",
                "The user's collection that it is in."),
            version: try field.version(\.version),
            created: try field("created", \.created, .instant, "When it was first saved."),
            modified: try field("modified", \.modified, .instant, "When it was last changed."),
            lastUsed: try field(optional: "lastUsed", \.lastUsed, .instant, "When it was last filled."),
            deleted: try field(optional: "deleted", \.deleted, .instant, "When it was deleted."))
    }
}

/// One of the services that a credential is for.
package struct SavedService: Message, Hashable {
    package let service: ServiceIdentifier
    package let match: String?

    package init(_ service: ServiceIdentifier, match: String? = nil) { (self.service, self.match) = (service, match) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            try field(\.service),
            match: try field(
                optional: "match", \.match, .word(Words.matches),
                "`exact`, or `site`: all of the registrable domain. Usual: `site` for `domain` and `origin`."))
    }
}

/// A field that the user added to a credential.
package struct CustomFieldValue: Message {
    package let name: String
    package let value: SecretBytes
    package let isSecret: Bool

    package init(name: String, value: SecretBytes, isSecret: Bool) {
        (self.name, self.value, self.isSecret) = (name, value, isSecret)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            name: try field("name", \.name, .string(1...Limits.customNameBytes), "Its name."),
            value: try field("value", \.value, .secret(0...Limits.customValueBytes), "Its value."),
            isSecret: try field("secret", \.isSecret, .boolean, absent: false, "Whether it is shown like a password."))
    }
}

/// A password that a credential had.
package struct FormerPassword: Message {
    package let password: SecretBytes
    package let replaced: String

    package init(password: SecretBytes, replaced: String) { (self.password, self.replaced) = (password, replaced) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            password: try field("password", \.password, .secret(0...Limits.passwordBytes), "The password."),
            replaced: try field("replaced", \.replaced, .instant, "When it was replaced."))
    }
}

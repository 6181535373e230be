// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What is saved for a service: a user and a password.
package struct Credential: Sendable {
    /// What it is. What a later version wrote may be another, which is kept, and never filled.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let password = Kind(rawValue: "password")
    }

    /// A password that this credential had before.
    package struct Previous: Sendable {
        package let password: SecretBytes
        /// When it was replaced.
        package let replaced: Timestamp

        package init(password: SecretBytes, replaced: Timestamp) {
            self.password = password
            self.replaced = replaced
        }
    }

    /// A one-time-code secret that this credential had before.
    package struct FormerCode: Sendable {
        /// The `otpauth://` URI.
        package let uri: SecretBytes
        /// When it was replaced or taken away.
        package let replaced: Timestamp

        package init(uri: SecretBytes, replaced: Timestamp) {
            self.uri = uri
            self.replaced = replaced
        }
    }

    package let id: ObjectID
    /// 1 when made, one more at each change.
    package var version: UInt64
    package let kind: Kind
    /// The first one is that which it was saved for; there is one at least.
    package var services: [CredentialService]
    /// As first saved; looked up by the UTF-8 of its NFC form.
    package let user: String
    package var password: SecretBytes
    /// The password rules it was made under, in canonical form.
    package var rules: String?
    /// The secret of an `otpauth://` URI, the URI included.
    package var oneTimeCode: SecretBytes?
    /// The subject that set it; nil where there is none.
    package var codeWriter: Subject?
    /// At most `Credential.previousLimit`, the newest first.
    package var formerCodes: [FormerCode]
    package var details: CredentialDetails
    package var created: Timestamp
    package var changed: Timestamp
    package var lastUsed: Timestamp?
    /// The subject that wrote the password last (see `Subject`): it may repeat its own save.
    package var writer: Subject
    /// At most `Credential.previousLimit`, the newest first.
    package var previous: [Previous]
    /// Set while it is deleted but recoverable.
    package var deleted: Timestamp?
    /// What a later version wrote.
    package let unknown: [UnknownField]

    /// How many previous passwords are kept, and as many codes.
    package static let previousLimit = 10

    package init(
        id: ObjectID, version: UInt64 = 1, kind: Kind = .password, services: [CredentialService], user: String,
        password: SecretBytes, rules: String? = nil, oneTimeCode: SecretBytes? = nil,
        details: CredentialDetails = CredentialDetails(), created: Timestamp, changed: Timestamp,
        lastUsed: Timestamp? = nil, writer: Subject, previous: [Previous] = [], deleted: Timestamp? = nil,
        codeWriter: Subject? = nil, formerCodes: [FormerCode] = [], unknown: [UnknownField] = []
    ) {
        self.id = id
        self.version = version
        self.kind = kind
        self.services = services
        self.user = user
        self.password = password
        self.rules = rules
        self.oneTimeCode = oneTimeCode
        self.details = details
        self.created = created
        self.changed = changed
        self.lastUsed = lastUsed
        self.writer = writer
        self.previous = previous
        self.deleted = deleted
        self.codeWriter = codeWriter
        self.formerCodes = formerCodes
        self.unknown = unknown
    }

    /// The one that it was saved for.
    package var service: Service { services[0].service }

    /// Gives it another one-time-code secret, or none; the one that it had is kept among the former ones.
    package mutating func setCode(_ uri: SecretBytes?, by writer: Subject, at now: Timestamp) {
        if let oneTimeCode {
            if let uri, uri.equals(oneTimeCode) { return }
            let former = FormerCode(uri: oneTimeCode, replaced: now)
            formerCodes = Array(([former] + formerCodes).prefix(Self.previousLimit))
        }
        oneTimeCode = uri
        codeWriter = uri == nil ? nil : writer
    }
}

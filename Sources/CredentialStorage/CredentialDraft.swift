// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What is to be saved for a service and a user.
package struct CredentialDraft: Sendable {
    package let service: Service
    package let user: String
    package let password: SecretBytes
    /// These, where nil, leave what is there.
    package var rules: String?
    package var oneTimeCode: SecretBytes?
    package var details: DetailsChange
    package let writer: Subject

    package init(
        service: Service, user: String, password: SecretBytes, rules: String? = nil, oneTimeCode: SecretBytes? = nil,
        details: DetailsChange = DetailsChange(), writer: Subject
    ) {
        self.service = service
        self.user = user
        self.password = password
        self.rules = rules
        self.oneTimeCode = oneTimeCode
        self.details = details
        self.writer = writer
    }

    /// The credential as it would be.
    func applied(to old: Credential, at now: Timestamp) -> Credential {
        var new = old
        new.password = password
        new.rules = rules ?? old.rules
        if let oneTimeCode { new.setCode(oneTimeCode, by: writer, at: now) }
        new.apply(details, by: writer)
        new.writer = writer
        return new
    }
}

/// What a save came to.
package struct Saved: Hashable, Sendable {
    package let id: ObjectID
    package let version: UInt64
    /// There was none before.
    package let isNew: Bool
    /// False where all was there already.
    package let changed: Bool
    /// Of a credential that changed: all that it is for.
    package var services: [Service] = []
}

extension Saved {
    /// A credential that was made or changed.
    init(_ credential: Credential, isNew: Bool) {
        self.init(
            id: credential.id, version: credential.version, isNew: isNew, changed: true,
            services: credential.services.map(\.service))
    }
}

extension Credential {
    /// Whether nothing that a person would miss differs; who wrote it does not count.
    func isSame(as other: Credential) -> Bool {
        password.equals(other.password) && rules == other.rules && deleted == other.deleted
            && SecretBytes.equal(oneTimeCode, other.oneTimeCode) && details == other.details
            && services == other.services
    }
}

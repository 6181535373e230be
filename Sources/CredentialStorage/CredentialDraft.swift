// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What is to be saved for a service and a user.
package struct CredentialDraft: Sendable {
    package let service: Service
    package let user: String
    package let password: SecretBytes
    /// These three, where nil, leave what is there.
    package var rules: String?
    package var oneTimeCode: SecretBytes?
    package var notes: SecretBytes?
    package let writer: Subject

    package init(
        service: Service, user: String, password: SecretBytes, rules: String? = nil, oneTimeCode: SecretBytes? = nil,
        notes: SecretBytes? = nil, writer: Subject
    ) {
        self.service = service
        self.user = user
        self.password = password
        self.rules = rules
        self.oneTimeCode = oneTimeCode
        self.notes = notes
        self.writer = writer
    }

    /// The credential as it would be.
    func applied(to old: Credential, at now: Timestamp) -> Credential {
        var new = old
        new.password = password
        new.rules = rules ?? old.rules
        if let oneTimeCode { new.setCode(oneTimeCode, by: writer, at: now) }
        new.notes = notes ?? old.notes
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
}

extension Credential {
    /// Whether nothing that a person would miss differs; who wrote it does not count.
    func isSame(as other: Credential) -> Bool {
        password.equals(other.password) && rules == other.rules && deleted == other.deleted
            && Self.equal(oneTimeCode, other.oneTimeCode) && Self.equal(notes, other.notes)
    }

    private static func equal(_ left: SecretBytes?, _ right: SecretBytes?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.equals(right)
        default: false
        }
    }
}

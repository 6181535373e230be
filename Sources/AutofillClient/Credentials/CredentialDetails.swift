// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// All of a saved credential. The description withholds the secrets.
public struct CompleteCredential: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The credential as in lists.
    public let saved: SavedCredential
    /// User name and password.
    public let password: PasswordCredential
    /// The user's notes; nil if there are none.
    public let notes: String?
    /// The user's own fields.
    public let fields: [CredentialField]

    init(_ answer: CredentialGet.Answer) throws(AutofillError) {
        saved = try SavedCredential(answer.summary)
        password = PasswordCredential(user: answer.summary.user, password: String(answer.password))
        notes = answer.notes.map(String.init)
        fields = (answer.fields ?? []).map {
            CredentialField(name: $0.name, value: String($0.value), isSecret: $0.isSecret)
        }
    }

    /// The id and the user name only.
    public var description: String { "CompleteCredential(id: \(saved.id), user: \(saved.user))" }
    /// The id and the user name only.
    public var debugDescription: String { description }
    /// The credential as in lists.
    public var customMirror: Mirror { Mirror(self, children: ["saved": saved]) }
}

/// A field that the user added to a credential. The description withholds the value.
public struct CredentialField: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// 1 to 128 bytes.
    public let name: String
    /// Up to 4,096 bytes.
    public let value: String
    /// Whether it is shown like a password.
    public let isSecret: Bool

    /// - Parameters:
    ///   - name: 1 to 128 bytes.
    ///   - value: up to 4,096 bytes.
    ///   - isSecret: whether it is shown like a password.
    public init(name: String, value: String, isSecret: Bool = false) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
    }

    /// The name only.
    public var description: String { "CredentialField(name: \(name))" }
    /// The name only.
    public var debugDescription: String { description }
    /// The name only.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// Changes of a credential besides its password. What is nil is not changed. The description withholds the values.
public struct CredentialChanges: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user's name for it, up to 256 bytes; empty for none.
    public var label: String?
    /// A secret, up to 16 KiB; empty for none.
    public var notes: String?
    /// All tags: at most 32, of 1 to 64 bytes.
    public var tags: [String]?
    /// All of the user's own fields: at most 32.
    public var fields: [CredentialField]?
    /// All services, at most 16; the first is the site that it was saved for. A new one requires what saving for it requires.
    public var services: [CredentialService]?
    /// The user's collection that it is in, up to 256 bytes; empty for none.
    public var collection: String?

    /// - Parameters:
    ///   - label: the user's name for it; empty for none.
    ///   - notes: a secret; empty for none.
    ///   - tags: all tags.
    ///   - fields: all of the user's own fields.
    ///   - services: all services; the first is the site that it was saved for.
    ///   - collection: the collection that it is in; empty for none.
    public init(
        label: String? = nil, notes: String? = nil, tags: [String]? = nil, fields: [CredentialField]? = nil,
        services: [CredentialService]? = nil, collection: String? = nil
    ) {
        self.label = label
        self.notes = notes
        self.tags = tags
        self.fields = fields
        self.services = services
        self.collection = collection
    }

    /// No value.
    public var description: String { "CredentialChanges" }
    /// No value.
    public var debugDescription: String { description }
    /// No value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    var wire: AutofillProtocol.CredentialChanges {
        AutofillProtocol.CredentialChanges(
            label: label, notes: notes.map { SecretBytes(utf8: $0) }, tags: tags,
            fields: fields?.map {
                CustomFieldValue(name: $0.name, value: SecretBytes(utf8: $0.value), isSecret: $0.isSecret)
            }, services: services?.map(\.wire), collection: collection)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A login or a note of another program.
package struct ForeignEntry: Sendable {
    package enum Kind: String, Sendable { case login, note }

    package struct Field: Sendable {
        package var name: String
        package var value: SecretBytes
        /// Whether it is shown like a password.
        package var isSecret: Bool

        package init(name: String, value: SecretBytes, isSecret: Bool) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    package struct Former: Sendable {
        package var password: SecretBytes
        package var replaced: Int64?

        package init(password: SecretBytes, replaced: Int64?) {
            self.password = password
            self.replaced = replaced
        }
    }

    package var kind: Kind
    /// The line of the file where it begins, in a file of text.
    package var line: Int?
    package var title = ""
    /// URLs, as the file has them.
    package var sites: [String] = []
    /// Those of the sites that are filled at their own host alone.
    package var exactSites: [String] = []
    /// Those that a credential helper of git, docker or cargo saved as they are.
    package var urls: [String] = []
    package var user = ""
    package var password: SecretBytes?
    package var notes: SecretBytes?
    /// An `otpauth://` URI.
    package var code: SecretBytes?
    /// The names of the folders, with a slash between them.
    package var folder = ""
    package var tags: [String] = []
    package var isFavourite = false
    package var fields: [Field] = []
    /// The newest first.
    package var history: [Former] = []
    package var passkeys: [ForeignPasskey] = []
    /// Milliseconds since 1970.
    package var created: Int64?
    package var changed: Int64?
    package var used: Int64?

    package init(_ kind: Kind = .login, line: Int? = nil) {
        self.kind = kind
        self.line = line
    }

    /// Keeps a value that has no member of its own.
    mutating func keep(_ name: String, _ value: SecretBytes, isSecret: Bool = false) {
        if value.count > 0 { fields.append(Field(name: name, value: value, isSecret: isSecret)) }
    }

    /// Two entries with the same values; the line does not count.
    package func equals(_ other: ForeignEntry) -> Bool {
        kind == other.kind && title == other.title && sites == other.sites && exactSites == other.exactSites
            && urls == other.urls && user == other.user
            && SecretBytes.equal(password, other.password) && SecretBytes.equal(notes, other.notes)
            && SecretBytes.equal(code, other.code) && folder == other.folder && tags == other.tags
            && isFavourite == other.isFavourite
            && fields.elementsEqual(other.fields) {
                $0.name == $1.name && $0.value.equals($1.value) && $0.isSecret == $1.isSecret
            }
            && history.elementsEqual(other.history) {
                $0.password.equals($1.password) && $0.replaced == $1.replaced
            }
            && passkeys.elementsEqual(other.passkeys) { $0.equals($1) }
            && created == other.created && changed == other.changed && used == other.used
    }
}

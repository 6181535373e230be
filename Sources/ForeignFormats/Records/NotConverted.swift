// SPDX-License-Identifier: Apache-2.0

/// What an import or an export has no place for: it is listed, never dropped silently.
package struct NotConverted: Hashable, Sendable {
    /// What of the entry.
    package enum What: String, Sendable {
        case entry, site, user, password, notes, code, folder, tag, field, history, passkey, attachment, times
    }

    package enum Reason: String, Error, Sendable {
        /// The kind of the entry has no place here.
        case card, identity, sshKey = "ssh-key", attachment, wifi, unsupportedKind = "unsupported-kind"
        /// A reference to another entry's field: it is kept as its text.
        case reference
        /// It is in the other program's trash.
        case deleted
        case tooLong = "too-long", tooMany = "too-many"
        /// A one-time code of a kind that cannot be computed here; its secret is kept as a field.
        case unsupportedCode = "unsupported-code"
        /// It cannot be decrypted: it is sealed with another key, or damaged.
        case unreadable
        /// The value is not text.
        case notText = "not-text"
        /// The format to write has no place for it.
        case notInFormat = "not-in-format"
        /// Whether a name is the site or the user is not clear: the entry has no site.
        case unclear
    }

    package var title: String
    package var what: What
    package var reason: Reason
    /// The line of the file, in a file of text.
    package var line: Int?

    package init(title: String, what: What = .entry, reason: Reason, line: Int? = nil) {
        self.title = title
        self.what = what
        self.reason = reason
        self.line = line
    }
}

/// One line of the records.
package enum ForeignRecord: Sendable {
    case entry(ForeignEntry)
    case notConverted(NotConverted)
}

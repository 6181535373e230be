// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// An entry of an import.
package struct ImportEntry: Sendable {
    /// As it would be saved. Times that the file does not have are 0.
    package let credential: Credential
    /// Its line in the file.
    package let line: Int?
    /// What of it has no place in the credential, or another one than in the file.
    package let remarks: [ImportRemark]

    package init(_ credential: Credential, line: Int?, remarks: [ImportRemark] = []) {
        (self.credential, self.line, self.remarks) = (credential, line, remarks)
    }
}

/// What becomes of a component of an entry that does not fit.
package struct ImportRemark: Hashable, Sendable {
    package enum Component: String, CaseIterable, Sendable {
        case site, user, notes, code, tag, field, passkey
    }

    package enum Outcome: String, CaseIterable, Sendable {
        /// It is kept as a field of the credential.
        case keptAsField
        /// It is not imported: there are more than a credential can have.
        case tooMany
        /// It is not imported: it is longer than a credential can have it.
        case tooLong
        /// It is not imported: another credential is saved for this site and user.
        case taken
    }

    package let component: Component
    package let outcome: Outcome

    package init(_ component: Component, _ outcome: Outcome) { (self.component, self.outcome) = (component, outcome) }
}

/// How an entry is imported whose site and user are saved with something else.
package enum ImportRule: String, CaseIterable, Sendable {
    /// The password that was changed last is the current one, and the other one is kept as a former one. Everything else of the
    /// entry is added. An entry without a time counts as older.
    case newer
    /// The entry becomes a credential of its own, with another user name.
    case both
    /// The entry is not imported.
    case skip
}

/// How much an import and a credential may have.
package struct ImportLimits: Sendable {
    package var entries: Int
    /// Sealed bytes of all entries.
    package var bytes: Int
    package var userBytes: Int
    package var notesBytes: Int
    package var tags: Int
    package var fields: Int
    package var fieldNameBytes: Int
    package var services: Int
    package var passkeys: Int

    package init(
        entries: Int, bytes: Int, userBytes: Int, notesBytes: Int, tags: Int, fields: Int, fieldNameBytes: Int,
        services: Int, passkeys: Int
    ) {
        (self.entries, self.bytes, self.userBytes, self.notesBytes) = (entries, bytes, userBytes, notesBytes)
        (self.tags, self.fields, self.fieldNameBytes) = (tags, fields, fieldNameBytes)
        (self.services, self.passkeys) = (services, passkeys)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What the vault stores of sync: a record with the stamps of its values, the counters of a one-time code, or a file that is not
/// copied out yet. Only a vault in which sync was started has any.
package struct StoredSyncEntry: VaultRecord {
    package static var idKind: ObjectID.Kind { .sync }

    /// The numbers are part of the format.
    package enum Form: UInt8, Sendable {
        case record = 1
        case counter
        case file
    }

    /// A site and a user: records that have one in common appear as one.
    package struct Login: Hashable, Sendable {
        package let site: String
        package let user: String

        package init(site: String, user: String) { (self.site, self.user) = (site, user) }
    }

    /// How long the plain text of one may be, a file before it is copied out among it.
    package static let mostBytes = 256 << 20

    package let id: ObjectID
    package var version: UInt64
    package let form: Form
    /// Of a record: what it is found by.
    package var logins: [Login] = []
    /// The last file of this machine that publishes something of it; 0: none does.
    package var sequence: UInt64 = 0
    /// Of a record: the credential as which it appears, itself or the one of which it is an alias.
    package var shown: ObjectID?
    /// Of a record: at least the greatest version that its id has had.
    package var greatestVersion: UInt64 = 0
    /// Of a record: the subjects that wrote its elements on this machine, by mark.
    package var writers: [UInt64: Subject] = [:]
    /// The entries of sync files, or the whole file.
    package var content: SecretBytes
    package var changed: Timestamp

    package var tally: Tally { .syncEntries }

    package init(id: ObjectID, version: UInt64 = 1, form: Form, content: SecretBytes, changed: Timestamp) {
        self.id = id
        self.version = version
        self.form = form
        self.content = content
        self.changed = changed
    }

    // MARK: - Look-ups

    package func blindIndex(key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: Self.scope(of: form, key: key), name: BlindIndex.digest(.syncEntry, [id.description], key: key))
    }

    package static func scope(of form: Form, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.syncEntries, [String(form.rawValue)], key: key)
    }

    package func lookups(key: KeyedHash) -> [SealTag] {
        let published = form == .file || sequence == 0 ? [] : [Self.published(in: sequence, key: key)]
        return logins.map { Self.tag(of: $0, key: key) } + published
    }

    /// That of the records with a login.
    package static func tag(of login: Login, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.syncLogin, [login.site, login.user], key: key)
    }

    /// That of what a file of this machine published last.
    package static func published(in sequence: UInt64, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.syncSequence, [String(sequence)], key: key)
    }

    // MARK: - Encoding

    package func write(to writer: inout BinaryWriter) {
        writer.put(form.rawValue)
        writer.put(UInt32(truncatingIfNeeded: logins.count))
        for login in logins {
            writer.put(login.site)
            writer.put(login.user)
        }
        writer.put(sequence)
        writer.put(shown)
        writer.put(greatestVersion)
        writer.put(UInt32(truncatingIfNeeded: writers.count))
        for (mark, subject) in writers.sorted(by: { $0.key < $1.key }) {
            writer.put(mark)
            writer.put(subject)
        }
        writer.put(content)
        writer.put(changed)
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let form = Form(rawValue: reader.integer())
        if form == nil { reader.fail(()) }
        var logins: [Login] = []
        var rest: UInt32 = reader.integer()
        while rest > 0, reader.isIntact {
            let site = reader.text()
            logins.append(Login(site: site, user: reader.text()))
            rest -= 1
        }
        let sequence: UInt64 = reader.integer()
        let shown = reader.id()
        let greatestVersion: UInt64 = reader.integer()
        var writers: [UInt64: Subject] = [:]
        rest = reader.integer()
        while rest > 0, reader.isIntact {
            let mark: UInt64 = reader.integer()
            writers[mark] = reader.subject()
            rest -= 1
        }
        let content = reader.secret()
        self.init(id: id, version: version, form: form ?? .record, content: content, changed: reader.time())
        self.logins = logins
        self.sequence = sequence
        self.shown = shown
        self.greatestVersion = greatestVersion
        self.writers = writers
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// A row that `repair` took out of use.
package struct QuarantinedRow: Hashable, Sendable {
    /// The table it was in.
    package let source: String
    package let fault: String
    package let id: ObjectID?
    package let version: UInt64

    package init(source: String, fault: String, id: ObjectID?, version: UInt64) {
        self.source = source
        self.fault = fault
        self.id = id
        self.version = version
    }
}

/// A row in quarantine, and what of it can be had back.
package struct QuarantineEntry: Sendable {
    /// Its number in the quarantine.
    package let number: Int64
    package let row: QuarantinedRow
    /// What the record is about, for people; nil where it does not open, and for what is no record.
    package let title: String?
}

extension Vault {
    /// What `repair` has taken out of use so far.
    package func quarantined() throws(VaultError) -> [QuarantinedRow] { try quarantine().map(\.row) }

    /// The same, with what it is about.
    package func quarantine() throws(VaultError) -> [QuarantineEntry] {
        try read { parts, statements throws(VaultError) in
            let titles = try records(parts, statements).mapValues(\.title)
            return try statements.quarantine.rows.all { row throws(VaultError) in
                let number = row.integer(4)
                return QuarantineEntry(
                    number: number,
                    row: QuarantinedRow(
                        source: String(decoding: row.bytes(0), as: UTF8.self),
                        fault: String(decoding: row.bytes(1), as: UTF8.self), id: ObjectID(stored: row.bytes(2)),
                        version: UInt64(bitPattern: row.integer(3))),
                    title: titles[number])
            }
        }
    }

    /// Gives a record in quarantine back, as it is there. Throws `alreadySaved` where the vault has it, or another in its place,
    /// and `recordDamaged` where it does not open.
    ///
    /// - Returns: its id; nil where there is no such number.
    package func takeBack(_ number: Int64) throws(VaultError) -> ObjectID? {
        try write { parts, statements, changes throws(VaultError) in
            let ids = try statements.quarantine.rows.all { row throws(VaultError) in
                (number: row.integer(4), id: ObjectID(stored: row.bytes(2)))
            }
            guard let found = ids.first(where: { $0.number == number }) else { return nil }
            guard let record = try records(parts, statements)[number] else {
                throw found.id.map { .recordDamaged($0) } ?? .unnamedRecord
            }
            try statements.quarantine.delete.run(.integer(number))
            try put(back: record, parts, statements, &changes)
            return record.id
        }
    }

    private func put<Record: VaultRecord>(
        back record: Record, _ parts: UnlockedVault, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        let same: Record? = try fetch(record.id, parts, statements)
        let named: Record? = try fetch(record.blindIndex(key: parts.keys.index), parts, statements)
        if let other = same ?? named { throw .alreadySaved(other.id) }
        if let credential = record as? Credential, let rival = try rival(of: credential, parts, statements) {
            throw .alreadySaved(rival)
        }
        try insert(record, parts, statements, &changes)
    }

    /// The records in quarantine that open, by their numbers there.
    private func records(
        _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [Int64: any VaultRecord] {
        var found: [Int64: any VaultRecord] = [:]
        try statements.quarantine.records.each([]) { row throws(VaultError) in
            guard let id = ObjectID(stored: row.bytes(1)) else { return true }
            let version = UInt64(bitPattern: row.integer(3))
            let associated = AssociatedData.record(id, version: version, lookup: row.bytes(2))
            let opened = try Sealing.open(row.bytes(4), key: parts.keys.records, associated: associated) { plain in
                Self.parse(plain, id: id, version: version)
            }
            if let record = opened ?? nil { found[row.integer(0)] = record }
            return true
        }
        return found
    }
}

extension VaultRecord {
    /// What it is about, without its secrets.
    fileprivate var title: String {
        switch self {
        case let credential as Credential: "\(credential.user) at \(credential.service.value)"
        case let offer as Offer: "a password offered to \(offer.subject.app) for \(offer.service.value)"
        case let item as Item:
            item.place.map { "\($0.account) of \($0.service)" } ?? "\(item.heading) of \(item.accessGroup)"
        case let verifier as Verifier: "\(verifier.account) of \(verifier.service)"
        case let grant as Grant: "\(grant.subject.app) and \(grant.service.value)"
        case let setting as StoredSetting: setting.name
        default: "\(id)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// A row that a repair took out of use.
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

/// A row in quarantine, and its subject.
package struct QuarantineEntry: Sendable {
    /// Its number in the quarantine.
    package let number: Int64
    package let row: QuarantinedRow
    /// The subject of the record, for users; nil where it does not open, and for what is no record.
    package let title: String?
}

/// The rows that `VaultRepair` took out of use.
package struct Quarantine {
    private let store: RecordStore

    package init(of vault: Vault) { store = vault.store }

    /// All of them, with their subjects.
    package func list() throws(VaultError) -> [QuarantineEntry] {
        try store.read { records throws(VaultError) in
            let titles = try Self.records(in: records).mapValues(\.title)
            return try records.statements.quarantine.rows.all { row throws(VaultError) in
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

    /// Returns a record to the vault as it is in quarantine. Throws `alreadySaved` where the vault has it, or another that replaced it,
    /// and `recordDamaged` where it does not open.
    ///
    /// - Returns: its id; nil where there is no such number.
    package func restore(_ number: Int64) throws(VaultError) -> ObjectID? {
        try store.write { transaction throws(VaultError) in
            let ids = try transaction.statements.quarantine.rows.all { row throws(VaultError) in
                (number: row.integer(4), id: ObjectID(stored: row.bytes(2)))
            }
            guard let found = ids.first(where: { $0.number == number }) else { return nil }
            guard let record = try Self.records(in: transaction.records)[number] else {
                throw found.id.map { .recordDamaged($0) } ?? .unnamedRecord
            }
            try transaction.statements.quarantine.delete.run(.integer(number))
            try transaction.restore(record)
            return record.id
        }
    }

    /// The records that open, by their numbers.
    private static func records(in view: RecordView) throws(VaultError) -> [Int64: any VaultRecord] {
        var found: [Int64: any VaultRecord] = [:]
        try view.statements.quarantine.records.each([]) { row throws(VaultError) in
            if let record = try RecordRow(row, from: 1)?.open(view.unlocked.keys)?.record {
                found[row.integer(0)] = record
            }
            return true
        }
        return found
    }
}

extension RecordTransaction {
    fileprivate mutating func restore<Record: VaultRecord>(_ record: Record) throws(VaultError) {
        let same: Record? = try records.fetch(record.id)
        let named: Record? = try records.fetch(record.blindIndex(key: records.key))
        if let other = same ?? named { throw .alreadySaved(other.id) }
        if let credential = record as? Credential, let rival = try records.rival(of: credential) {
            throw .alreadySaved(rival)
        }
        try insert(record)
    }
}

extension VaultRecord {
    /// Its subject, without its secrets.
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

// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
internal import VaultFormat

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
    private let vault: any RecoverableVault

    package init(of vault: Vault) { self.vault = vault.recovery }

    /// All of them, with their subjects.
    package func list() throws(VaultError) -> [QuarantineEntry] {
        let keys = try vault.unlocked.keys
        let statements = try vault.file.openDatabase.statements
        let titles = try Self.records(in: statements, keys).mapValues(\.title)
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

    /// Returns a record to the vault as it is in quarantine. Throws `alreadySaved` where the vault has it, or another that replaced it,
    /// and `recordDamaged` where it does not open.
    ///
    /// - Returns: its id; nil where there is no such number.
    package func restore(_ number: Int64) throws(VaultError) -> ObjectID? {
        let keys = try vault.unlocked.keys
        return try vault.insert { statements throws(VaultError) in
            let ids = try statements.quarantine.rows.all { row throws(VaultError) in
                (number: row.integer(4), id: ObjectID(stored: row.bytes(2)))
            }
            guard let found = ids.first(where: { $0.number == number }) else { return nil }
            guard let record = try Self.records(in: statements, keys)[number] else {
                throw found.id.map { .recordDamaged($0) } ?? .unnamedRecord
            }
            try statements.quarantine.delete.run(.integer(number))
            return record
        }
    }

    /// The records that open, by their numbers.
    private static func records(
        in statements: VaultStatements, _ keys: VaultKeys
    ) throws(VaultError) -> [Int64: any VaultRecord] {
        var found: [Int64: any VaultRecord] = [:]
        try statements.quarantine.records.each([]) { row throws(VaultError) in
            if let record = try RecordRow(row, from: 1)?.open(keys)?.record {
                found[row.integer(0)] = record
            }
            return true
        }
        return found
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

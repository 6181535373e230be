// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// What tests hold the output of independent_reader.py against: values as its JSON has them.
enum Described {
    /// JSON with sorted keys.
    static func json(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func of(_ tag: SealTag) -> String { hex(BlindIndex(scope: tag, name: .none).bytes.prefix(16)) }
    static func of(_ number: UInt64) -> Any { Int(clamping: number) }
    static func of(_ time: Timestamp?) -> Any { time.map { Int($0.milliseconds) } ?? NSNull() }
    static func of(_ secret: SecretBytes?) -> Any { secret.map { $0.withUnsafeBytes { hex($0) } } ?? NSNull() }
    static func of(_ subject: Subject?) -> Any {
        subject.map { [$0.app, $0.assurance, $0.executable] } ?? NSNull()
    }
    static func of(_ service: Service?) -> Any { service.map { [$0.kind.rawValue, $0.value] } ?? NSNull() }
    static func of(_ text: String?) -> Any { text ?? NSNull() }
    static func of(_ id: ObjectID?) -> Any { id.map(\.description) ?? NSNull() }
}

extension Vault {
    /// All that it holds, opened by this slot.
    func described(openedBy slot: Int) throws -> String {
        let unlocked = try store.unlocked
        let root = try #require(unlocked.manifest?.root)
        let releases = try readers.releases.page(before: nil, limit: 1000).elements.reversed()
        let waiting = unlocked.releases.pendingFirst
        return try Described.json([
            "opened": slot,
            "slots": file.slotRows().map { try $0.described(unlocked.keys) },
            "records": records().map(\.described),
            "manifest": [
                "vault": Described.of(root.vaultID), "generation": Described.of(root.generation),
                "nextSlot": Int(root.nextSlot),
            ],
            "releases": releases.filter { $0.number < waiting }.map(\.described),
            "waiting": releases.filter { $0.number >= waiting }.map(\.described),
            "quarantine": quarantineRows(unlocked.keys),
        ])
    }

    /// In the order of their ids.
    func records() throws -> [any VaultRecord] {
        func all<Record: VaultRecord>(_: Record.Type) throws -> [Record] {
            try store.read { records throws(VaultError) in try records.list(after: nil, limit: 1000) }.elements
        }
        return try all(Credential.self) + all(Offer.self) + all(Item.self) + all(Grant.self) + all(Verifier.self)
            + all(StoredSetting.self) + all(StoredSyncEntry.self)
    }

    private func quarantineRows(_ keys: VaultKeys) throws -> [[String: Any]] {
        let sql = "SELECT source, fault, id, lookup, version, sealed FROM quarantine ORDER BY number"
        return try file.openDatabase.access { connection throws(VaultError) in
            try SQLStatement(sql, on: connection).all { row throws(VaultError) in
                try Self.described(quarantined: row, keys)
            }
        }
    }

    private static func described(
        quarantined row: borrowing SQLStatement.Row, _ keys: VaultKeys
    ) throws(VaultError) -> [String: Any] {
        let version = row.integer(4)
        var described: [String: Any] = [
            "source": String(decoding: row.bytes(0), as: UTF8.self),
            "fault": String(decoding: row.bytes(1), as: UTF8.self), "number": Int(version),
        ]
        guard !row.isNull(2) else {
            var reader = BinaryReader(row.bytes(5))
            described["kind"] = Int(reader.integer(UInt8.self))
            described["columns"] = (0..<6).map { _ in Described.of(reader.secret()) }
            return described
        }
        described["id"] = Described.hex(row.bytes(2))
        described["record"] = NSNull()
        if let record = try RecordRow(row, from: 2)?.open(keys)?.record { described["record"] = record.described }
        return described
    }
}

extension SlotRow {
    fileprivate func described(_ keys: VaultKeys) throws -> [String: Any] {
        let slot = try described(keys: keys)
        return [
            "slot": Int(id), "kind": Int(kind), "cost": cost.map(Int.init), "label": Described.of(slot.label),
            "created": Described.of(slot.created), "failures": Int(try #require(failureCount)),
        ]
    }
}

extension NumberedRelease {
    fileprivate var described: [String: Any] {
        var fields: [String: Any] = [
            "number": Described.of(number), "time": Described.of(release.time), "app": release.app,
            "assurance": release.assurance, "process": Int(release.processID), "executable": release.executable,
            "unit": Described.of(release.unit), "method": release.method, "service": Described.of(release.service),
            "object": Described.of(release.object), "grant": Described.of(release.grant),
            "refused": Described.of(release.refused),
        ]
        // What earlier versions do not have, where there is any.
        if let evidence = release.evidence { fields["evidence"] = evidence }
        return fields
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// A record as a row of the table, and its entry in the manifest.
struct SealedRow {
    let lookup: [UInt8]
    let sealed: [UInt8]
    let lookups: LookupRows
    let entry: ManifestEntry

    /// Seals a record; `sealing` is the number of this sealing in the manifest.
    init(
        _ record: some VaultRecord, sealing: UInt64, _ keys: VaultKeys, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let header = RecordHeader(format: keys.format, sealing: keys.format == .first ? 0 : sealing)
        let plain = BinaryWriter.encode(padded: SizeClass.record) { writer in
            writer.format = keys.format
            header.write(to: &writer)
            record.write(to: &writer)
        }
        let lookup = record.blindIndex(key: keys.index).bytes
        let associated = lookup.withUnsafeBytes {
            AssociatedData.record(record.id, version: record.version, lookup: $0)
        }
        let sealed = try plain.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: keys.records, associated: associated, using: &entropy)
        }
        self.lookup = lookup
        self.sealed = sealed
        lookups = LookupRows(of: record, key: keys.index)
        entry = ManifestEntry(
            id: record.id, version: record.version, sealing: header.sealing, changed: record.changed,
            tag: sealed.withUnsafeBytes { Sealing.tag(of: $0) }, lookups: lookups.digest)
    }

    /// Id, lookup, version and sealed.
    var values: [SQLStatement.Value] {
        [
            .bytes(entry.id.stored), .bytes(lookup), .integer(Int64(bitPattern: entry.version)), .bytes(sealed),
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Crypto

/// The rows of the table `lookup` that one record is found by, besides its own blind index: each a tag that other records may
/// have too. They follow from the record's plain text; the manifest pins them by a digest.
package struct LookupRows {
    package let id: ObjectID
    /// Each once, in their order. None in the first format.
    package let tags: [SealTag]

    package init(of record: some VaultRecord, key: KeyedHash) {
        id = record.id
        tags = key.format == .first ? [] : Set(record.lookups(key: key)).sorted()
    }

    /// Rows as they were found, in the order of their tags.
    init(id: ObjectID, tags: [SealTag]) { (self.id, self.tags) = (id, tags) }

    /// The first 16 bytes of SHA-256 over the tags; none where there are none.
    package var digest: SealTag {
        guard !tags.isEmpty else { return .none }
        var hash = SHA256()
        for tag in tags { tag.bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }
        return hash.finalize().withUnsafeBytes { SealTag(UnsafeRawBufferPointer(rebasing: $0[..<16])) }
    }

    package func insert(_ statements: VaultStatements) throws(VaultError) {
        for tag in tags { try statements.lookups?.put.run(.bytes(tag.bytes), .bytes(id.stored)) }
    }

    /// Replaces the rows that the record had. A row that stays is not written.
    package func replace(_ old: LookupRows, _ statements: VaultStatements) throws(VaultError) {
        guard old.tags != tags else { return }
        for tag in old.tags where !tags.contains(tag) {
            try statements.lookups?.remove.run(.bytes(tag.bytes), .bytes(id.stored))
        }
        for tag in tags where !old.tags.contains(tag) {
            try statements.lookups?.put.run(.bytes(tag.bytes), .bytes(id.stored))
        }
    }
}

extension SealTag: Comparable {
    package static func < (left: SealTag, right: SealTag) -> Bool { (left.high, left.low) < (right.high, right.low) }

    /// Its 16 bytes.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            memory.storeBytes(of: high.bigEndian, as: UInt64.self)
            memory.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }
}

extension VaultStatements.Lookups {
    /// Holds all rows against the manifest.
    package func meet(_ comparison: inout ManifestComparison) throws(VaultError) { try meet(&comparison, rows, []) }

    /// Those of the records from one id to another.
    package func meet(
        _ comparison: inout ManifestComparison, from first: ObjectID, to last: ObjectID
    ) throws(VaultError) {
        try meet(&comparison, rowsOfRecords, [.bytes(first.stored), .bytes(last.stored)])
    }

    private func meet(
        _ comparison: inout ManifestComparison, _ statement: SQLStatement, _ values: [SQLStatement.Value]
    ) throws(VaultError) {
        var current: ObjectID?
        var tags: [SealTag] = []
        func end() { if let current { comparison.meet(LookupRows(id: current, tags: tags)) } }
        try statement.each(values) { row throws(VaultError) in
            guard let id = ObjectID(stored: row.bytes(0)) else {
                comparison.meetUnnamedLookup()
                return true
            }
            if id != current {
                end()
                (current, tags) = (id, [])
            }
            tags.append(SealTag(row.bytes(1)))
            return true
        }
        end()
    }
}

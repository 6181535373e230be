// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// The columns of a record's row, in SQLite's memory: valid as long as the row is.
package struct RecordRow {
    package let id: ObjectID
    package let version: UInt64
    package let lookup: UnsafeRawBufferPointer
    package let sealed: UnsafeRawBufferPointer

    /// Reads id, lookup, version and sealed from the column `first` on; nil where the id is none.
    package init?(_ row: borrowing SQLStatement.Row, from first: Int32 = 0) {
        guard let id = ObjectID(stored: row.bytes(first)) else { return nil }
        self.id = id
        lookup = row.bytes(first + 1)
        version = UInt64(bitPattern: row.integer(first + 2))
        sealed = row.bytes(first + 3)
    }

    /// Calls `body` with the plain text; returns nil where the row is not what was sealed. Inlined: else each result is copied.
    ///
    /// - Parameter key: that of records.
    @inlinable package func open<Result>(
        key: SecretBytes, _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        let associated = AssociatedData.record(id, version: version, lookup: lookup)
        return try Sealing.open(sealed, key: key, associated: associated, body)
    }

    /// The record, of whatever kind, and which sealing it is; nil where it is not what was sealed.
    package func open(_ keys: VaultKeys) throws(VaultError) -> (record: any VaultRecord, sealing: UInt64)? {
        try open(key: keys.records) { plain -> (record: any VaultRecord, sealing: UInt64)? in
            guard let header = RecordHeader(plain),
                let record = id.kind.recordType?.init(plain: plain, id: id, version: version)
            else { return nil }
            return (record, header.sealing)
        } ?? nil
    }
}

extension VaultRecord {
    /// Reads a record's plain text; nil where it is none.
    @inlinable package init?(plain: UnsafeRawBufferPointer, id: ObjectID, version: UInt64) {
        var reader = BinaryReader(plain)
        guard RecordHeader(from: &reader) != nil else { return nil }
        self.init(from: &reader, id: id, version: version)
        guard reader.isAtEnd else { return nil }
    }
}

extension ObjectID.Kind {
    /// The type of the records of this kind; nil for releases, which are no records.
    package var recordType: (any VaultRecord.Type)? {
        switch self {
        case .credential: Credential.self
        case .offer: Offer.self
        case .item: Item.self
        case .grant: Grant.self
        case .verifier: Verifier.self
        case .setting: StoredSetting.self
        case .sync: StoredSyncEntry.self
        case .release: nil
        }
    }
}

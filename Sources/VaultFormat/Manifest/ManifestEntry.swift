// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// The manifest's entry of one record: enough to verify that exactly this row is there, and to name it when it is
/// not.
package struct ManifestEntry: Hashable, Sendable {
    package let id: ObjectID
    package let version: UInt64
    /// Which sealing it is: the generation of the manifest that it came with. 0 in the first format, which has none.
    package let sealing: UInt64
    /// When the record was last changed.
    package let changed: Timestamp
    /// The tag of the sealed row.
    package let tag: SealTag
    /// Of the rows that the record is looked up by: see `LookupRows`. None in the first format.
    package var lookups = SealTag.none

    package init(
        id: ObjectID, version: UInt64, sealing: UInt64, changed: Timestamp, tag: SealTag, lookups: SealTag
    ) {
        self.id = id
        self.version = version
        self.sealing = sealing
        self.changed = changed
        self.tag = tag
        self.lookups = lookups
    }
}

/// One of 4096 buckets: the entries of all records whose random bits begin with its number.
package struct ManifestBucket {
    package static let count = 4096

    /// In no particular order.
    package var entries: [ManifestEntry] = []

    /// The bucket of a record: the first 12 of its random bits.
    package static func index(of id: ObjectID) -> Int { Int(id.high >> 52) }

    package func write(_ format: FormatVersion, to writer: inout BinaryWriter) {
        writer.put(format.rawValue)
        writer.put(UInt32(truncatingIfNeeded: entries.count))
        for entry in entries {
            writer.put(entry.id)
            writer.put(entry.version)
            if format > .first { writer.put(entry.sealing) }
            writer.put(entry.changed)
            writer.put(entry.tag)
            if format > .first { writer.put(entry.lookups) }
        }
    }

    init() {}

    /// nil where the bytes are not a bucket's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BinaryReader(bytes)
        guard let format = FormatVersion(rawValue: reader.integer()) else { return nil }
        let count: UInt32 = reader.integer()
        guard Int(count) * (format == .first ? 49 : 73) == reader.remaining else { return nil }
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            let id = reader.id()
            let version: UInt64 = reader.integer()
            let sealing: UInt64 = format == .first ? 0 : reader.integer()
            let changed = reader.time()
            let tag = reader.tag()
            let lookups = format == .first ? .none : reader.tag()
            guard let id else { return nil }
            entries.append(
                ManifestEntry(
                    id: id, version: version, sealing: sealing, changed: changed, tag: tag, lookups: lookups))
        }
    }
}

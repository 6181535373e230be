// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What the manifest knows of one record: enough to tell that exactly this row should be there, and to name it when it is
/// not.
struct ManifestEntry: Hashable, Sendable {
    let id: ObjectID
    let version: UInt64
    /// When the record was last changed.
    let changed: Timestamp
    /// The tag of the sealed row.
    let tag: SealTag
}

/// One of 4096 buckets: the entries of all records whose random bits begin with its number.
struct ManifestBucket {
    private static let format: UInt8 = 1
    static let count = 4096

    /// In no particular order.
    var entries: [ManifestEntry] = []

    /// The bucket of a record: the first 12 of its random bits.
    static func index(of id: ObjectID) -> Int { Int(id.high >> 52) }

    func write(to writer: inout BinaryWriter) {
        writer.put(Self.format)
        writer.put(UInt32(truncatingIfNeeded: entries.count))
        for entry in entries {
            writer.put(entry.id)
            writer.put(entry.version)
            writer.put(entry.changed)
            writer.put(entry.tag)
        }
    }

    init() {}

    /// nil where the bytes are not a bucket's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BinaryReader(bytes)
        let format: UInt8 = reader.integer()
        let count: UInt32 = reader.integer()
        guard format == Self.format, Int(count) * 49 == reader.remaining else { return nil }
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            let id = reader.id()
            let version: UInt64 = reader.integer()
            let changed = reader.time()
            let tag = reader.tag()
            guard let id else { return nil }
            entries.append(ManifestEntry(id: id, version: version, changed: changed, tag: tag))
        }
    }
}

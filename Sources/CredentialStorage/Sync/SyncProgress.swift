// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// Which files this machine has written, and which it has merged.
struct SyncProgress: Equatable {
    /// Up to which sequence its files are complete: committed to the outbox, or covered by a snapshot that was copied out.
    var covered: UInt64 = 0
    /// What is stamped now is published with this sequence; those before it are taken.
    var next: UInt64 = 1
    var merged = MergedFiles()
    /// When the last snapshot was written.
    var lastSnapshot: Timestamp?

    /// The range of the next file of changes.
    var range: ClosedRange<UInt64> { min(covered + 1, next)...next }

    var stored: SecretBytes {
        BinaryWriter.encode { writer in
            writer.put(covered)
            writer.put(next)
            writer.put(lastSnapshot?.milliseconds ?? .min)
            writer.put(merged.vector)
            writer.put(UInt32(truncatingIfNeeded: merged.beyond.count))
            for (device, ranges) in merged.beyond.sorted(by: { $0.key < $1.key }) {
                writer.put(device.rawValue)
                writer.put(UInt32(truncatingIfNeeded: ranges.count))
                for range in ranges {
                    writer.put(range.lowerBound)
                    writer.put(range.upperBound)
                }
            }
            writer.put(UInt32(truncatingIfNeeded: merged.statements.count))
            for (device, statements) in merged.statements.sorted(by: { $0.key < $1.key }) {
                writer.put(device.rawValue)
                writer.put(UInt32(truncatingIfNeeded: statements.count))
                for (sequence, vector) in statements.sorted(by: { $0.key < $1.key }) {
                    writer.put(sequence)
                    writer.put(vector)
                }
            }
        }
    }

    init() {}

    /// Nil where these are other bytes.
    init?(stored bytes: SecretBytes) {
        let read = bytes.withUnsafeBytes { memory -> SyncProgress? in
            var reader = BinaryReader(memory)
            var progress = SyncProgress()
            progress.covered = reader.integer()
            progress.next = reader.integer()
            let snapshot = reader.time()
            progress.lastSnapshot = snapshot.milliseconds == .min ? nil : snapshot
            let vector = reader.versionVector()
            let beyond = reader.dictionary { reader in
                (DeviceID(rawValue: reader.integer()), reader.list { $0.sequenceRange() }.compactMap(\.self))
            }
            let statements = reader.dictionary { reader in
                (
                    DeviceID(rawValue: reader.integer()),
                    reader.dictionary { ($0.integer(UInt64.self), $0.versionVector()) }
                )
            }
            guard reader.isAtEnd, progress.covered < progress.next else { return nil }
            progress.merged = MergedFiles(vector: vector, beyond: beyond, statements: statements)
            return progress
        }
        guard let read else { return nil }
        self = read
    }
}

extension BinaryWriter {
    fileprivate mutating func put(_ vector: VersionVector) {
        put(UInt32(truncatingIfNeeded: vector.sequences.count))
        for (device, sequence) in vector.sequences.sorted(by: { $0.key < $1.key }) {
            put(device.rawValue)
            put(sequence)
        }
    }
}

extension BinaryReader {
    /// A count, and so many values.
    fileprivate mutating func list<Value>(_ read: (inout BinaryReader) -> Value) -> [Value] {
        var rest: UInt32 = integer()
        var values: [Value] = []
        while rest > 0, isIntact {
            values.append(read(&self))
            rest -= 1
        }
        return values
    }

    fileprivate mutating func dictionary<Key: Hashable, Value>(
        _ read: (inout BinaryReader) -> (Key, Value)
    ) -> [Key: Value] {
        Dictionary(list(read)) { _, last in last }
    }

    fileprivate mutating func versionVector() -> VersionVector {
        VersionVector(dictionary { (DeviceID(rawValue: $0.integer()), $0.integer(UInt64.self)) })
    }

    fileprivate mutating func sequenceRange() -> ClosedRange<UInt64>? {
        let first: UInt64 = integer(), last: UInt64 = integer()
        return first <= last ? first...last : fail(nil)
    }
}

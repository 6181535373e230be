// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncFiles
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
    /// What the last snapshot depends on besides records: see `VaultSync.basis`.
    var snapshotBasis: UInt64 = 0
    /// The files of this machine that are in the folder, or are about to be.
    var files: [OwnFiles.OwnFile] = []
    /// A change was stored without its stamps: all has to be compared.
    var mustCompare = false
    /// The vault replaced another one, or was repaired: the user decides whether others' newer changes count.
    var isRestored = false

    /// The received files have to be brought again: what was merged of them is forgotten, or does not count any more.
    var bringsAgain = false
    /// At least every version of a credential that was given before the vault replaced another one.
    var versionFloor: UInt64 = 0
    /// The mark of the keys that the vault is about to get: in a vault with these the id that this machine has ends. No other one has
    /// them, whatever becomes of that change.
    var nextKeys: UInt64?
    /// What other machines are called, and when a file of them was merged last.
    var met: [DeviceID: Met] = [:]
    /// What an invitation has stated that the folder has.
    var expected = VersionVector()

    struct Met: Equatable {
        var name: String
        var merged: Timestamp?
    }

    /// How many sequences of a device are named somewhere and not merged here.
    ///
    /// - Parameter cut: the last that counts, where it was removed.
    func missing(of device: DeviceID, upTo cut: UInt64?) -> UInt64 {
        let named = min(max(merged.missing[device] ?? 0, expected[device]), cut ?? .max), last = merged.vector[device]
        return named > last ? named - last : 0
    }

    /// All that others have is to be merged, again or for the first time.
    mutating func mergeAllAgain() { (merged, bringsAgain) = (MergedFiles(), true) }

    /// The range of the next file of changes.
    var range: ClosedRange<UInt64> { min(covered + 1, next)...next }

    /// Whether this machine can have written a file of its id: a sequence is reserved before a file has it, and no two files have one,
    /// but for a joined file, which has the last sequence of what it joins and covers more.
    ///
    /// - Parameter hash: that of the file's name.
    func mayHaveWritten(_ file: FileSummary, hash: UInt64) -> Bool {
        guard file.range.upperBound < next else { return false }
        return !files.contains { own in
            own.name.hash != hash && own.range.upperBound == file.range.upperBound
                && (own.name.isSnapshot || file.isSnapshot || own.range == file.range)
        }
    }

    var stored: SecretBytes {
        BinaryWriter.encode { writer in
            writer.put(covered)
            writer.put(next)
            writer.put(lastSnapshot?.milliseconds ?? .min)
            writer.put(snapshotBasis)
            let flags = (mustCompare ? 1 : 0) | (isRestored ? 2 : 0) | (bringsAgain ? 4 : 0) | (nextKeys != nil ? 8 : 0)
            writer.put(UInt8(flags))
            writer.put(UInt32(truncatingIfNeeded: files.count))
            for file in files {
                writer.put(file.name.isSnapshot ? 1 : 0 as UInt8)
                writer.put(file.name.hash)
                writer.put(file.range.lowerBound)
                writer.put(file.range.upperBound)
                writer.put(UInt64(file.byteCount))
            }
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
            writer.put(UInt32(truncatingIfNeeded: met.count))
            for (device, met) in met.sorted(by: { $0.key < $1.key }) {
                writer.put(device.rawValue)
                writer.put(met.name)
                writer.put(met.merged?.milliseconds ?? .min)
            }
            writer.put(expected)
            writer.put(versionFloor)
            if let nextKeys { writer.put(nextKeys) }
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
            progress.snapshotBasis = reader.integer()
            let flags: UInt8 = reader.integer()
            (progress.mustCompare, progress.isRestored) = (flags & 1 != 0, flags & 2 != 0)
            progress.bringsAgain = flags & 4 != 0
            progress.files = reader.list { $0.ownFile() }.compactMap(\.self)
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
            progress.met = reader.dictionary { reader in
                let device = DeviceID(rawValue: reader.integer()), name = reader.text(), merged = reader.time()
                return (device, Met(name: name, merged: merged.milliseconds == .min ? nil : merged))
            }
            progress.expected = reader.versionVector()
            progress.versionFloor = reader.integer()
            progress.nextKeys = flags & 8 == 0 ? nil : reader.integer()
            guard reader.isAtEnd, flags < 16, progress.covered < progress.next else { return nil }
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

    fileprivate mutating func ownFile() -> OwnFiles.OwnFile? {
        let isSnapshot = integer(UInt8.self) == 1, hash: UInt64 = integer()
        guard let range = sequenceRange() else { return nil }
        let name = SyncFileName(sequence: range.upperBound, isSnapshot: isSnapshot, hash: hash)
        return OwnFiles.OwnFile(name: name, range: range, byteCount: Int(clamping: integer(UInt64.self)))
    }

    fileprivate mutating func sequenceRange() -> ClosedRange<UInt64>? {
        let first: UInt64 = integer(), last: UInt64 = integer()
        return first <= last ? first...last : fail(nil)
    }
}

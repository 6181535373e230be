// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
package import SyncMerge
internal import VaultFormat

/// Writes files of this machine.
package struct SyncFileWriter: Sendable {
    package let group: GroupID
    package let keys: KeyPairs
    package let epochKey: EpochKey
    /// The user's name for this machine, cut off where it is too long.
    package let deviceName: String
    /// How many bytes of entries are sealed at once, unless one is larger.
    var batchBytes = SyncFileLimits.batchBytes

    package init(group: GroupID, keys: KeyPairs, epochKey: EpochKey, deviceName: String) {
        self.group = group
        self.keys = keys
        self.epochKey = epochKey
        self.deviceName = SyncFileLimits.name(deviceName)
    }

    /// A file of changes.
    package func delta(
        _ range: ClosedRange<UInt64>, _ operations: some Sequence<SyncOperation>, vector: VersionVector,
        statements: [SignedStatement], using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> WrittenSyncFile {
        var state = SyncState()
        state.merge(operations)
        return try write(state, vector, statements, isSnapshot: false, range, &entropy)
    }

    /// A file of the whole state, with all statements.
    package func snapshot(
        _ sequence: UInt64, _ state: SyncState, vector: VersionVector, statements: [SignedStatement],
        using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> WrittenSyncFile {
        try write(state, vector, statements, isSnapshot: true, 1...max(sequence, 1), &entropy)
    }

    private func write(
        _ state: SyncState, _ vector: VersionVector, _ statements: [SignedStatement], isSnapshot: Bool,
        _ range: ClosedRange<UInt64>, _ entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> WrittenSyncFile {
        let device = keys.publicKeys.device
        let header = SyncFileHeader(
            group: group, device: device, isSnapshot: isSnapshot, range: range, epoch: epochKey.id)
        let preface = SyncFilePreface(deviceName: deviceName, vector: vector, without: device)
        let batches = FileBatches(FileEntry.entries(of: state), after: preface, upTo: batchBytes)
        let statements = statements.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var bytes = BinaryWriter.bytes { writer in
            header.write(to: &writer)
            writer.put(UInt32(truncatingIfNeeded: statements.count))
            writer.put(UInt32(truncatingIfNeeded: statements.reduce(0) { $0 + 4 + $1.bytes.count }))
            writer.put(UInt32(truncatingIfNeeded: batches.count))
            for statement in statements { writer.put(statement.bytes) }
        }
        let digest = SyncHash.digest(bytes)
        let key = epochKey.fileKey(of: device, in: group)
        for position in 0..<batches.count {
            let sealed = try seal(batches.plain(position), key, position, digest, &entropy)
            bytes += withUnsafeBytes(of: UInt32(truncatingIfNeeded: sealed.count).bigEndian) { Array($0) }
            bytes += sealed
        }
        bytes += try keys.sign(bytes, as: .file)
        return WrittenSyncFile(
            name: SyncFileName(of: bytes, sequence: range.upperBound, isSnapshot: isSnapshot), bytes: bytes)
    }

    private func seal(
        _ plain: SecretBytes, _ key: SecretBytes, _ position: Int, _ digest: [UInt8],
        _ entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> [UInt8] {
        do {
            return try plain.withUnsafeBytes { plain in
                try Sealing.seal(
                    plain, key: key, associated: SyncFileContent.associated(position, digest), using: &entropy)
            }
        } catch { throw KeyFailure() }
    }
}

/// A file of this machine, and its name.
package struct WrittenSyncFile: Sendable {
    package let name: SyncFileName
    package let bytes: [UInt8]
}

// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

/// The key of an epoch, sealed to each of its recipients and to the recovery key.
package struct EpochGrant: Hashable, Sendable {
    /// That of the epoch key.
    let publicKey: [UInt8]
    let sealed: [DeviceID: [UInt8]]
    let recovery: [UInt8]
    /// A signature with the epoch key. Without it a removed machine could claim that it was given any key, which would then never
    /// count.
    private(set) var proof: [UInt8] = []

    package var epoch: EpochID { EpochKey.id(publicKey) }
    package var recipients: Set<DeviceID> { Set(sealed.keys) }

    init(
        _ key: EpochKey, to members: [PublicKeys], recovery: PublicKeys, in group: GroupID
    ) throws(KeyFailure) {
        publicKey = key.publicKey
        var sealed: [DeviceID: [UInt8]] = [:]
        for member in members { sealed[member.device] = try SealedEpochKey.seal(key, to: member, in: group) }
        self.sealed = sealed
        self.recovery = try SealedEpochKey.seal(key, to: recovery, in: group)
    }

    mutating func prove(with key: EpochKey, by device: DeviceID, _ sequence: UInt64, in group: GroupID)
        throws(KeyFailure)
    {
        proof = try key.prove(message(device, sequence, group))
    }

    func isProven(by device: DeviceID, _ sequence: UInt64, in group: GroupID) -> Bool {
        Signature.verify(proof, of: message(device, sequence, group), as: .epoch, by: publicKey)
    }

    func write(to writer: inout BinaryWriter) {
        writeGrant(to: &writer)
        writer.put(whole: proof)
    }

    /// Nil where it is malformed.
    init?(from reader: inout BinaryReader) {
        publicKey = reader.bytes(32)
        let count: UInt8 = reader.integer()
        guard count <= SyncFileLimits.members else { return nil }
        var sealed: [DeviceID: [UInt8]] = [:], last = DeviceID.beforeSync
        for _ in 0..<count {
            let device = DeviceID(rawValue: reader.long())
            guard device > last else { return nil }
            last = device
            sealed[device] = reader.bytes(SealedEpochKey.byteCount)
        }
        self.sealed = sealed
        recovery = reader.bytes(SealedEpochKey.byteCount)
        proof = reader.bytes(Signature.byteCount)
    }

    private func writeGrant(to writer: inout BinaryWriter) {
        writer.put(whole: publicKey)
        writer.put(UInt8(truncatingIfNeeded: sealed.count))
        for (device, bytes) in sealed.sorted(by: { $0.key < $1.key }) {
            writer.put(device.rawValue)
            writer.put(whole: bytes)
        }
        writer.put(whole: recovery)
    }

    private func message(_ device: DeviceID, _ sequence: UInt64, _ group: GroupID) -> [UInt8] {
        BinaryWriter.bytes { writer in
            writer.put(group.rawValue)
            writer.put(device.rawValue)
            writer.put(sequence)
            writeGrant(to: &writer)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge

/// An epoch's key, sealed to one recipient.
enum SealedEpochKey {
    static let byteCount = 32 + HybridSealing.overhead

    static func seal(_ key: EpochKey, to recipient: PublicKeys, in group: GroupID) throws(KeyFailure) -> [UInt8] {
        try hybrid.seal(key.bytes, to: recipient.sealing, associated: associated(key.id, recipient, group))
    }

    /// Nil where it is not that key.
    static func open(_ sealed: [UInt8], _ id: EpochID, with keys: KeyPairs, in group: GroupID) -> EpochKey? {
        let bytes = hybrid.open(sealed, with: keys.sealing, associated: associated(id, keys.publicKeys, group))
        return bytes.flatMap { EpochKey(bytes: $0) }.flatMap { $0.id == id ? $0 : nil }
    }

    private static let hybrid = HybridSealing(info: Array("autofilld sync 1 epoch".utf8))

    private static func associated(_ id: EpochID, _ recipient: PublicKeys, _ group: GroupID) -> [UInt8] {
        group.rawValue.bytes + id.rawValue.bytes + recipient.device.rawValue.bytes
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory
package import SyncMerge
internal import VaultFormat

/// The key of an epoch, 32 bytes, of which the keys of all files of that epoch are derived.
///
/// A signing key is derived of it too, whose public key gives the epoch its id: a statement cannot give two recipients two keys,
/// and only those who have the key can state who was given it.
package struct EpochKey: Sendable {
    package let bytes: SecretBytes
    package let id: EpochID
    let publicKey: [UInt8]
    private let proof: SecretBytes

    /// Nil for another length.
    package init?(bytes: SecretBytes) {
        proof = VaultKeys.derive("autofilld sync 1 epoch proof", from: bytes)
        guard bytes.count == 32, let publicKey = Signature.publicKey(of: proof) else { return nil }
        self.bytes = bytes
        self.publicKey = publicKey
        id = Self.id(publicKey)
    }

    package static func random(using entropy: inout some RandomNumberGenerator) throws(KeyFailure) -> EpochKey {
        guard let key = EpochKey(bytes: SecretBytes(random: 32, using: &entropy)) else { throw KeyFailure() }
        return key
    }

    static func id(_ publicKey: [UInt8]) -> EpochID {
        EpochID(rawValue: SyncHash.id("autofilld sync 1 epoch", publicKey))
    }

    /// Shows that whoever signs has the key.
    func prove(_ message: [UInt8]) throws(KeyFailure) -> [UInt8] {
        try Signature.sign(message, as: .epoch, with: proof)
    }

    /// What seals the files of one device in this epoch.
    func fileKey(of device: DeviceID, in group: GroupID) -> SecretBytes {
        VaultKeys.derive("autofilld sync 1 file", from: bytes, salt: group.rawValue.bytes + device.rawValue.bytes)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SyncMerge

/// The public keys of a machine or of the recovery key. A device's id is their hash: an id has one pair of keys, whoever admits it.
package struct PublicKeys: Hashable, Sendable {
    /// Ed25519, 32 bytes.
    package let signing: [UInt8]
    /// X25519, 32 bytes.
    package let sealing: [UInt8]
    /// The hash of both.
    package let device: DeviceID

    init(signing: [UInt8], sealing: [UInt8]) {
        self.signing = signing
        self.sealing = sealing
        device = DeviceID(rawValue: SyncHash.id("autofilld sync 1 device", signing + sealing))
    }

    /// Whether only the owner opens what is sealed to these keys.
    var isUsable: Bool { HybridSealing.isUsable(sealing) }

    /// Whether the owner of these keys signed this, for this purpose.
    func verify(
        _ signature: some Sequence<UInt8>, of message: some Sequence<UInt8>, as purpose: Signature.Purpose
    ) -> Bool {
        Signature.verify(signature, of: message, as: purpose, by: signing)
    }
}

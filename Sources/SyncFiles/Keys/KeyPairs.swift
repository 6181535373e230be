// SPDX-License-Identifier: Apache-2.0
internal import Crypto
package import SecretMemory
package import VaultFormat

/// The private keys of this machine, or those that follow from the recovery key. They stay in locked memory; swift-crypto gets a
/// copy for one call.
package struct KeyPairs: Sendable {
    /// The seed of Ed25519, 32 bytes.
    package let signing: SecretBytes
    /// X25519, 32 bytes.
    package let sealing: SecretBytes
    package let publicKeys: PublicKeys

    /// Stored ones. Nil for another length.
    package init?(signing: SecretBytes, sealing: SecretBytes) {
        guard let signingKey = Signature.publicKey(of: signing),
            let key = sealing.withUnsafeBytes({ try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) })
        else { return nil }
        self.signing = signing
        self.sealing = sealing
        publicKeys = PublicKeys(signing: signingKey, sealing: Array(key.publicKey.rawRepresentation))
    }

    /// New ones of a machine.
    package static func random(using entropy: inout some RandomNumberGenerator) throws(KeyFailure) -> KeyPairs {
        let signing = SecretBytes(random: 32, using: &entropy)
        guard let keys = KeyPairs(signing: signing, sealing: SecretBytes(random: 32, using: &entropy)) else {
            throw KeyFailure()
        }
        return keys
    }

    /// Those of the recovery key.
    package init?(recovery key: WrittenKey) {
        self.init(
            signing: VaultKeys.derive("autofilld sync 1 recovery signing", from: key.bytes),
            sealing: VaultKeys.derive("autofilld sync 1 recovery sealing", from: key.bytes))
    }

    func sign(_ message: some Sequence<UInt8>, as purpose: Signature.Purpose) throws(KeyFailure) -> [UInt8] {
        try Signature.sign(message, as: purpose, with: signing)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import FoundationEssentials
internal import SecretMemory

/// HPKE (RFC 9180): X25519, HKDF-SHA256, ChaCha20-Poly1305; one message a key, written `encapsulated key (32) ‖ cipher text`.
struct HybridSealing {
    /// What the message is for.
    let info: [UInt8]
    /// Known to both sides; nil in base mode.
    var presharedKey: (key: SecretBytes, id: [UInt8])?

    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let encapsulatedCount = 32
    /// By how much the result is longer.
    static let overhead = encapsulatedCount + 16

    /// Not so a point of low order, with which every private key agrees on zeros: anybody could open what is sealed to it. The library
    /// leaves this check, which RFC 9180 requires (7.1.4), to its callers.
    static func isUsable(_ publicKey: some Sequence<UInt8>) -> Bool {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: Array(publicKey)),
            let secret = try? Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: key)
        else { return false }
        return secret.withUnsafeBytes { $0.contains { $0 != 0 } }
    }

    func seal(_ plain: SecretBytes, to recipient: [UInt8], associated: [UInt8]) throws(KeyFailure) -> [UInt8] {
        guard Self.isUsable(recipient) else { throw KeyFailure() }
        do {
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: recipient)
            var sender =
                if let (secret, id) = presharedKey {
                    try HPKE.Sender(
                        recipientKey: key, ciphersuite: Self.suite, info: Data(info),
                        presharedKey: secret.withUnsafeBytes { SymmetricKey(data: $0) },
                        presharedKeyIdentifier: Data(id))
                } else {
                    try HPKE.Sender(recipientKey: key, ciphersuite: Self.suite, info: Data(info))
                }
            let sealed = try plain.withUnsafeBytes { try sender.seal($0, authenticating: associated) }
            return Array(sender.encapsulatedKey) + sealed
        } catch { throw KeyFailure() }
    }

    /// Nil where this is not what was sealed to this key.
    func open(_ sealed: [UInt8], with recipient: SecretBytes, associated: [UInt8]) -> SecretBytes? {
        guard sealed.count >= Self.overhead, Self.isUsable(sealed.prefix(Self.encapsulatedCount)),
            let key = recipient.withUnsafeBytes({ try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }),
            var receiver = receiver(key, Data(sealed.prefix(Self.encapsulatedCount))),
            var plain = try? receiver.open(sealed.dropFirst(Self.encapsulatedCount), authenticating: associated)
        else { return nil }
        defer { plain.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        return plain.withUnsafeBytes { SecretBytes(copying: $0) }
    }

    private func receiver(_ key: Curve25519.KeyAgreement.PrivateKey, _ encapsulated: Data) -> HPKE.Recipient? {
        guard let (secret, id) = presharedKey else {
            return try? HPKE.Recipient(
                privateKey: key, ciphersuite: Self.suite, info: Data(info), encapsulatedKey: encapsulated)
        }
        return try? HPKE.Recipient(
            privateKey: key, ciphersuite: Self.suite, info: Data(info), encapsulatedKey: encapsulated,
            presharedKey: secret.withUnsafeBytes { SymmetricKey(data: $0) }, presharedKeyIdentifier: Data(id))
    }
}

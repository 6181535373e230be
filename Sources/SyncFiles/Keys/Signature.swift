// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import SecretMemory

/// Ed25519 (RFC 8032). What is signed begins with its purpose, so that no signature can be used in another position.
enum Signature {
    static let byteCount = 64

    enum Purpose: String {
        case file = "autofilld sync 1 file"
        case statement = "autofilld sync 1 statement"
        case epoch = "autofilld sync 1 epoch"
        case answer = "autofilld sync 1 answer"
    }

    /// The public key of a seed of 32 bytes.
    static func publicKey(of seed: SecretBytes) -> [UInt8]? {
        key(seed).map { Array($0.publicKey.rawRepresentation) }
    }

    /// The 64 bytes of a signature.
    static func sign(
        _ message: some Sequence<UInt8>, as purpose: Purpose, with seed: SecretBytes
    ) throws(KeyFailure) -> [UInt8] {
        guard let signature = try? key(seed)?.signature(for: begun(message, purpose)) else { throw KeyFailure() }
        return Array(signature)
    }

    static func verify(
        _ signature: some Sequence<UInt8>, of message: some Sequence<UInt8>, as purpose: Purpose,
        by publicKey: [UInt8]
    ) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(Array(signature), for: begun(message, purpose))
    }

    /// A copy in swift-crypto's form, for one call.
    private static func key(_ seed: SecretBytes) -> Curve25519.Signing.PrivateKey? {
        seed.withUnsafeBytes { try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    }

    /// The purpose, a zero byte, and the message.
    private static func begun(_ message: some Sequence<UInt8>, _ purpose: Purpose) -> [UInt8] {
        Array(purpose.rawValue.utf8) + [0] + message
    }
}

/// The library refused an operation with a key of ours.
package struct KeyFailure: Error, Equatable {}

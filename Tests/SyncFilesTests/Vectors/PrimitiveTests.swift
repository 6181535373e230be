// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SecretMemory
import Testing

@testable import SyncFiles

/// The library's functions as they are used, against the vectors of their standards.
@Suite("Primitives of sync")
struct PrimitiveTests {
    @Test(
        "Ed25519 signs as RFC 8032, section 7.1, has it",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
            ),
        ])
    func signatures(_ seed: String, _ publicKey: String, _ message: String, _ signature: String) throws {
        let secret = SecretBytes(copying: hex(seed), count: 32)
        #expect(SyncFiles.Signature.publicKey(of: secret) == hex(publicKey))
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: hex(seed))
        #expect(Array(try key.signature(for: hex(message))) == hex(signature))
        #expect(key.publicKey.isValidSignature(hex(signature), for: hex(message)))
    }

    @Test("A signature is the RFC's over the purpose, a zero byte and the message")
    func purpose() throws {
        let secret = SecretBytes(
            copying: hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), count: 32)
        let signature = try SyncFiles.Signature.sign([1, 2], as: .file, with: secret)
        let key = try Curve25519.Signing.PublicKey(
            rawRepresentation: try required(SyncFiles.Signature.publicKey(of: secret)))
        #expect(key.isValidSignature(signature, for: Array("autofilld sync 1 file".utf8) + [0, 1, 2]))
    }

    /// X25519, HKDF-SHA256, ChaCha20-Poly1305: A.2.1 without and A.2.2 with a pre-shared key.
    @Test(
        "HPKE opens what RFC 9180, appendix A.2, has",
        arguments: [
            (
                "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb", "",
                "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a",
                "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
            ),
            (
                "77d114e0212be51cb1d76fa99dd41cfd4d0166b08caa09074430a6c59ef17879",
                "0247fd33b913760fa1fa51e1892d9f307fbe65eb171e8132c2af18555a738b82",
                "2261299c3f40a9afc133b969a97f05e95be2c514e54f3de26cbe5644ac735b04",
                "4a177f9c0d6f15cfdf533fb65bf84aecdc6ab16b8b85b4cf65a370e07fc1d78d28fb073214525276f4a89608ff"
            ),
        ])
    func hybrid(_ privateKey: String, _ shared: String, _ encapsulated: String, _ cipher: String) throws {
        let secret = SecretBytes(copying: hex(privateKey), count: 32)
        let psk = hex(shared)
        let presharedKey =
            psk.isEmpty ? nil : (key: SecretBytes(copying: psk, count: 32), id: Array("Ennyn Durin aran Moria".utf8))
        let hybrid = HybridSealing(info: Array("Ode on a Grecian Urn".utf8), presharedKey: presharedKey)
        let sealed = hex(encapsulated) + hex(cipher), associated = Array("Count-0".utf8)
        let plain = try required(hybrid.open(sealed, with: secret, associated: associated))
        #expect(plain.equals(SecretBytes(utf8: "Beauty is truth, truth beauty")))
        #expect(hybrid.open(sealed, with: secret, associated: []) == nil)
        #expect(hybrid.open(Array(sealed.dropLast()), with: secret, associated: associated) == nil)
        let other = HybridSealing(info: hybrid.info, presharedKey: psk.isEmpty ? (key: secret, id: [1]) : nil)
        #expect(other.open(sealed, with: secret, associated: associated) == nil)
    }

    @Test("Points of low order are not used, as a recipient's key or as an encapsulated one")
    func lowOrder() throws {
        let recipient = Curve25519.KeyAgreement.PrivateKey(), hybrid = HybridSealing(info: [])
        let secret = recipient.rawRepresentation.withUnsafeBytes { SecretBytes(copying: $0) }
        let one = [1] + [UInt8](repeating: 0, count: 31)
        for point in [[UInt8](repeating: 0, count: 32), one] {
            #expect(throws: KeyFailure()) { try hybrid.seal(secret, to: point, associated: []) }
            // What anybody can make: the shared secret is zero.
            let sender = try hybrid.seal(secret, to: Array(recipient.publicKey.rawRepresentation), associated: [])
            #expect(hybrid.open(point + sender[32...], with: secret, associated: []) == nil)
            #expect(!HybridSealing.isUsable(point))
        }
        #expect(HybridSealing.isUsable(recipient.publicKey.rawRepresentation))
    }

    @Test("What is sealed with a pre-shared key opens with that key and its id only")
    func presharedKey() throws {
        let plain = SecretBytes(utf8: "answer"), recipient = Curve25519.KeyAgreement.PrivateKey()
        let secret = recipient.rawRepresentation.withUnsafeBytes { SecretBytes(copying: $0) }
        func hybrid(_ byte: UInt8, _ id: UInt8) -> HybridSealing {
            HybridSealing(
                info: [1],
                presharedKey: (key: SecretBytes(copying: repeatElement(byte, count: 32), count: 32), id: [id]))
        }
        let sealed = try hybrid(1, 1).seal(plain, to: Array(recipient.publicKey.rawRepresentation), associated: [])
        #expect(sealed.count == plain.count + HybridSealing.overhead)
        #expect(try required(hybrid(1, 1).open(sealed, with: secret, associated: [])).equals(plain))
        #expect(hybrid(2, 1).open(sealed, with: secret, associated: []) == nil)
        #expect(hybrid(1, 2).open(sealed, with: secret, associated: []) == nil)
    }
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

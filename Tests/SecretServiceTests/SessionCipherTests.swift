// SPDX-License-Identifier: Apache-2.0
import CSecretSession
import SecretMemory
import Testing

@testable import SecretSession

@Suite("The encryption of a session")
struct SessionCipherTests {
    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private func agreed() throws -> (SessionCipher, SessionCipher) {
        let (left, right) = (KeyAgreement(), KeyAgreement())
        let (leftKey, rightKey) = (try #require(left.publicKey), try #require(right.publicKey))
        #expect(leftKey.count == 128 && leftKey != rightKey)
        let ours = rightKey.withUnsafeBytes { left.cipher(with: $0) }
        let theirs = leftKey.withUnsafeBytes { right.cipher(with: $0) }
        return (try #require(ours), try #require(theirs))
    }

    @Test("Both sides derive the same key, and open the other's sealed values", arguments: [0, 1, 15, 16, 17, 4096])
    func agreement(size: Int) throws {
        let (ours, theirs) = try agreed()
        let secret = SecretBytes(copying: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }, count: size)
        let sealed = try #require(ours.sealed(secret))
        #expect(sealed.parameters.count == 16 && sealed.value.count == (size / 16 + 1) * 16)
        let opened = sealed.value.withUnsafeBytes { value in
            sealed.parameters.withUnsafeBytes { theirs.opened(parameters: $0, value: value) }
        }
        #expect(SecretBytes.equal(opened, secret))
        #expect(try #require(ours.sealed(secret)).parameters != sealed.parameters, "a vector is used once")
    }

    @Test("The public key of 5 is 32, and the agreed key that of an independent calculation")
    func fixedKey() {
        var secret = [UInt8](repeating: 0, count: 32)
        secret[31] = 5
        var key = [UInt8](repeating: 0, count: 128)
        #expect(af_session_public(secret, &key))
        #expect(key.dropLast().allSatisfy { $0 == 0 } && key.last == 32)
        // 3 ^ 5 = 243, as 128 bytes; HKDF-SHA256 without salt and info, 16 bytes: by Python's hmac and hashlib.
        var agreed = [UInt8](repeating: 0, count: 16)
        #expect(af_session_key(secret, [0, 0, 3], 3, &agreed))
        #expect(agreed.map { String($0, radix: 16) } == Self.agreedOfThree)
    }

    private static let agreedOfThree = [
        "6a", "73", "50", "d6", "2d", "95", "3e", "c0", "73", "d3", "13", "ad", "51", "5", "24", "92",
    ]

    @Test("What is no public key of the group is refused", arguments: [[], [0], [0, 0, 1], [1]])
    func weakKeys(key: [UInt8]) {
        #expect(key.withUnsafeBytes { KeyAgreement().cipher(with: $0) } == nil)
    }

    @Test("The prime, the number before it and what is longer are refused")
    func primeAndAbove() throws {
        // 2 ^ 0 less 1 wraps to the prime, whose bytes follow from the keys that it exceeds.
        for last in [0xFE, 0xFF] as [UInt8] {
            var key = [UInt8](repeating: 0xFF, count: 128)
            key[127] = last
            #expect(key.withUnsafeBytes { KeyAgreement().cipher(with: $0) } == nil)
        }
        let long = [1] + [UInt8](repeating: 0, count: 128)
        #expect(long.withUnsafeBytes { KeyAgreement().cipher(with: $0) } == nil)
    }

    @Test("What was not sealed in this session is refused: another length, vector, padding")
    func forged() throws {
        let (ours, theirs) = try agreed()
        let sealed = try #require(ours.sealed(SecretBytes(utf8: "s3cr3t")))
        func opened(_ parameters: [UInt8], _ value: [UInt8], by cipher: SessionCipher) -> SecretBytes? {
            value.withUnsafeBytes { value in parameters.withUnsafeBytes { cipher.opened(parameters: $0, value: value) }
            }
        }
        let value = sealed.value.withUnsafeBytes { Array($0) }
        #expect(text(opened(sealed.parameters, value, by: theirs)) == "s3cr3t")
        #expect(opened([], value, by: theirs) == nil)
        #expect(opened(sealed.parameters, value.dropLast(), by: theirs) == nil)
        #expect(opened(sealed.parameters, [], by: theirs) == nil)
        var vector = sealed.parameters
        vector[15] ^= 0xFF
        #expect(opened(vector, value, by: theirs) == nil, "the padding's last byte is another then")
        // In a plain session nothing is sealed.
        #expect(opened(sealed.parameters, value, by: .plain) == nil)
        #expect(text(opened([], Array("open".utf8), by: .plain)) == "open")
    }
}

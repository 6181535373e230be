// SPDX-License-Identifier: Apache-2.0
import OneTimeCodes
import SecretMemory
import Testing

extension SecretBytes {
    /// The bytes as text, for comparison.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

@Suite("The vectors of the RFCs")
struct VectorTests {
    /// The ASCII digits 1 to 9 and 0, over and over.
    private static func secret(_ count: Int) -> SecretBytes {
        SecretBytes(copying: (1...count).map { UInt8(48 + $0 % 10) }, count: count)
    }

    @Test("RFC 4226, appendix D: ten codes of a counter")
    func counter() {
        let password = OneTimePassword(secret: Self.secret(20), factor: .counter(0))
        let codes = (0..<10).map { password.code(counter: $0).text }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test(
        "RFC 6238, appendix B: eight digits of each hash",
        arguments: [
            (59, "94287082", "46119246", "90693936"),
            (1_111_111_109, "07081804", "68084774", "25091201"),
            (1_111_111_111, "14050471", "67062674", "99943326"),
            (1_234_567_890, "89005924", "91819424", "93441116"),
            (2_000_000_000, "69279037", "90698825", "38618901"),
            (20_000_000_000, "65353130", "77737706", "47863826"),
        ] as [(Int64, String, String, String)])
    func time(seconds: Int64, sha1: String, sha256: String, sha512: String) throws {
        for (algorithm, length, expected) in [
            (OneTimePassword.Algorithm.sha1, 20, sha1), (.sha256, 32, sha256), (.sha512, 64, sha512),
        ] {
            let password = OneTimePassword(secret: Self.secret(length), algorithm: algorithm, digits: 8)
            let code = try #require(password.code(atMilliseconds: seconds * 1000 + 999))
            #expect(code.code.text == expected, "\(algorithm)")
            #expect(code.validUntil == (seconds / 30 + 1) * 30_000)
        }
    }

    @Test("A code is valid to the end of its period, whatever that is")
    func periods() throws {
        for period in [1, 7, 30, 60, 86_400, OneTimePassword.longestPeriod] {
            let password = OneTimePassword(secret: Self.secret(20), factor: .time(period: period))
            let first = try #require(password.code(atMilliseconds: 0))
            #expect(first.validUntil == Int64(period) * 1000)
            #expect(first.code.text == password.code(counter: 0).text)
            let next = try #require(password.code(atMilliseconds: first.validUntil))
            #expect(next.code.text == password.code(counter: 1).text)
        }
        #expect(OneTimePassword(secret: Self.secret(20), factor: .counter(0)).code(atMilliseconds: 0) == nil)
    }
}

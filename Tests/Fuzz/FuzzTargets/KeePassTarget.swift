// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import SecretMemory

/// KDBX files with right hashes and codes, so that what is behind them is read too. The first byte of an input says what
/// the rest is: a header, a key file, or the content of version 4, of version 4 in gzip, or of version 3.1.
enum KeePassTarget {
    /// - Returns: how many entries the file has.
    @discardableResult
    static func run(_ input: [UInt8]) throws -> Int {
        guard let kind = input.first else { return 0 }
        let rest = Array(input.dropFirst())
        switch kind % 5 {
        // Nothing derives a key from a header that has not its hash.
        case 0: return try run(file: signature + version4 + rest)
        case 1: return try run(file: file4([]), keyFile: rest)
        case 2: return try run(file: file4(rest))
        case 3: return try run(file: file4(rest, isCompressed: true))
        default: return try run(file: file3(rest))
        }
    }

    private static func run(file: [UInt8], keyFile: [UInt8]? = nil) throws -> Int {
        let keyFile = keyFile.map { SecretBytes(copying: $0, count: $0.count) }
        return try ForeignTarget.run(file, password: SecretBytes(utf8: password), keyFile: keyFile, isText: false)
    }

    static var seeds: [[UInt8]] {
        let document = ForeignTarget.documents[2]
        let inner = [1] + field([3, 0, 0, 0]) + [2] + field(Array(repeating: 7, count: 64)) + [0] + field([])
        let digits = String(repeating: "0a", count: 32)
        let keyFile = "<KeyFile><Meta><Version>2.0</Version></Meta><Key><Data>\(digits)</Data></Key></KeyFile>"
        return [
            [0] + header4(isCompressed: true).dropFirst(12), [1] + Array(keyFile.utf8), [2] + inner + document,
            [3] + gzip(inner + document), [4] + blocks3(document),
        ]
    }

    // MARK: - Files

    private static let password = "pass"
    private static let signature: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5]
    private static let version4: [UInt8] = [0, 0, 4, 0]
    private static let aes: [UInt8] = [
        0x31, 0xC1, 0xF2, 0xE6, 0xBF, 0x71, 0x43, 0x50, 0xBE, 0x58, 0x05, 0x21, 0x6A, 0xFC, 0x5A, 0xFF,
    ]
    private static let aesRounds: [UInt8] = [
        0xC9, 0xD9, 0xF3, 0x9A, 0x62, 0x8A, 0x44, 0x60, 0xBF, 0x74, 0x0D, 0x08, 0xC1, 0x8A, 0x4F, 0xEA,
    ]
    private static let seed = Array(UInt8(0)..<32)
    private static let nonce = Array(UInt8(0)..<16)
    private static let startBytes = Array(UInt8(32)..<64)

    /// Of a derivation without rounds, which costs nothing.
    private static let derived = hash(hash(hash(Array(password.utf8))))

    private static func header4(isCompressed: Bool) -> [UInt8] {
        let variants =
            [0, 1] + variant(0x42, "$UUID", aesRounds) + variant(0x05, "R", number(UInt64(0)))
            + variant(0x42, "S", seed) + [0]
        let fields: [[UInt8]] = [
            [2] + field(aes), [3] + field(number(UInt32(isCompressed ? 1 : 0))), [4] + field(seed), [7] + field(nonce),
            [11] + field(variants), [0] + field([]),
        ]
        return signature + version4 + fields.joined()
    }

    private static func file4(_ content: [UInt8], isCompressed: Bool = false) -> [UInt8] {
        let header = header4(isCompressed: isCompressed)
        let key = Array(SHA512.hash(data: seed + derived + [1]))
        func code(_ number: [UInt8], _ content: [UInt8]) -> [UInt8] {
            let own = SymmetricKey(data: SHA512.hash(data: number + key))
            return Array(HMAC<SHA256>.authenticationCode(for: content, using: own))
        }
        func block(_ index: UInt64, _ content: [UInt8]) -> [UInt8] {
            let bytes = field(content)
            return code(number(index), number(index) + bytes) + bytes
        }
        return header + hash(header) + code(number(UInt64.max), header) + block(0, encrypted(content)) + block(1, [])
    }

    private static func file3(_ content: [UInt8]) -> [UInt8] {
        func short(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] { [kind] + number(UInt16(value.count)) + value }
        let fields = [
            short(2, aes), short(3, [0, 0, 0, 0]), short(4, seed), short(5, seed), short(6, number(UInt64(0))),
            short(7, nonce), short(8, seed), short(9, startBytes), short(10, [2, 0, 0, 0]), short(0, []),
        ]
        return signature + [1, 0, 3, 0] + fields.joined() + encrypted(startBytes + content)
    }

    /// The content of version 3.1 in blocks with their hashes.
    private static func blocks3(_ content: [UInt8]) -> [UInt8] {
        let end = number(UInt32(1)) + Array(repeating: 0, count: 32) + field([])
        return number(UInt32(0)) + hash(content) + field(content) + end
    }

    /// Not compressed: one block as it is.
    private static func gzip(_ content: [UInt8]) -> [UInt8] {
        let count = UInt16(content.count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + number(count) + number(~count) + content
            + number(ArchiveTarget.checksum(content)) + number(UInt32(content.count))
    }

    private static func encrypted(_ content: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: hash(seed + derived))
        guard let iv = try? AES._CBC.IV(ivBytes: nonce) else { return [] }
        return (try? AES._CBC.encrypt(content, using: key, iv: iv)).map { Array($0) } ?? []
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func field(_ value: [UInt8]) -> [UInt8] { number(UInt32(value.count)) + value }

    private static func variant(_ kind: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
        [kind] + field(Array(name.utf8)) + field(value)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Binary values that are no secrets, as text.
enum BinaryText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Base64url without padding (RFC 4648, section 5).
    static func base64URL(_ bytes: some Collection<UInt8>) -> String {
        var (result, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Base64 with padding.
    static func base64(_ bytes: some Collection<UInt8>) -> String {
        let text = base64URL(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    /// The bytes of base64url or base64, with or without padding; nil for anything else.
    static func bytes(_ text: String) -> [UInt8]? {
        var (result, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            let plain =
                byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
            guard let value = alphabet.firstIndex(of: plain) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return result
    }

    /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, of 16 bytes.
    static func uuid(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    static func bytes(uuid text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        return text.utf8.count == 36 && digits.count == 32 ? bytes(hexadecimal: digits) : nil
    }

    static func bytes(hexadecimal digits: some Collection<UInt8>) -> [UInt8]? {
        let values = digits.compactMap(digit)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

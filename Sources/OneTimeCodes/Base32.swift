// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Base 32 (RFC 4648, section 6), from locked memory to locked memory.
enum Base32 {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

    /// The bytes that `text` encodes, in upper or lower case, with or without padding; nil for anything else. Spaces
    /// and hyphens, with which secrets are printed for users, are ignored; bits beyond the last byte do not count.
    static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        var length = 0
        var isPadded = false
        for byte in text where !isPassedOver(byte) {
            if byte == UInt8(ascii: "=") {
                isPadded = true
            } else {
                guard !isPadded, value(of: byte) != nil else { return nil }
                length += 1
            }
        }
        // These lengths encode no whole number of bytes: the text is incomplete.
        guard ![1, 3, 6].contains(length % 8) else { return nil }
        return SecretBytes(count: length * 5 / 8) { memory in
            var bits: UInt32 = 0
            var count = 0
            var index = 0
            for byte in text {
                guard let value = value(of: byte) else { continue }
                bits = bits << 5 | value
                count += 5
                guard count >= 8, index < memory.count else { continue }
                memory[index] = UInt8(truncatingIfNeeded: bits >> UInt32(count - 8))
                index += 1
                count -= 8
            }
        }
    }

    /// How many characters `count` bytes need, without padding.
    static func encodedCount(_ count: Int) -> Int { (count * 8 + 4) / 5 }

    /// Writes the characters of `bytes` into `target`, without padding.
    static func encode(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        for index in 0..<encodedCount(bytes.count) {
            var value = 0
            for bit in index * 5..<index * 5 + 5 {
                let byte = bit / 8 < bytes.count ? bytes[bit / 8] : 0
                value = value << 1 | Int(byte >> UInt8(7 - bit % 8) & 1)
            }
            target[index] = alphabet.utf8Start[value]
        }
    }

    private static func isPassedOver(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(byte - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}

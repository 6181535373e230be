// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The base 64 of PHC strings: RFC 4648's standard alphabet, without padding.
enum PHCBase64 {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    static func encodedCount(_ count: Int) -> Int { (count * 8 + 5) / 6 }

    static func encode(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        for index in 0..<encodedCount(bytes.count) {
            let bit = index * 6
            let pair = UInt16(bytes[bit / 8]) << 8 | (bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0)
            target[index] = alphabet.utf8Start[Int(pair >> UInt16(10 - bit % 8) & 63)]
        }
    }

    /// nil for another character, a length of no whole bytes, or bits that are in no byte.
    static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        guard text.count % 4 != 1 else { return nil }
        var faults = false
        let decoded = SecretBytes(count: text.count * 6 / 8) { memory in
            var bits: UInt32 = 0
            var count = 0
            var index = 0
            for byte in text {
                guard let value = value(of: byte) else {
                    faults = true
                    return
                }
                bits = (bits << 6 | value) & 0xFFFF
                count += 6
                guard count >= 8 else { continue }
                memory[index] = UInt8(truncatingIfNeeded: bits >> UInt32(count - 8))
                index += 1
                count -= 8
            }
            faults = bits & (1 << UInt32(count) - 1) != 0
        }
        return faults ? nil : decoded
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Base64 with the standard alphabet and padding (RFC 4648, section 4), for secrets: no look-up tables and no branches
/// on the content, so that its time depends on lengths only.
package enum Base64 {
    /// The number of characters for `count` bytes.
    package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes `encodedCount(source.count)` characters to `target`.
    package static func encode(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        var output = 0
        for start in stride(from: 0, to: source.count, by: 3) {
            let available = min(3, source.count - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < available ? UInt32(source[start + index]) : 0) }
            for index in 0..<4 {
                let sextet = group >> UInt32(18 - 6 * index) & 63
                target[output] = index <= available ? character(of: sextet) : UInt8(ascii: "=")
                output += 1
            }
        }
    }

    /// The bytes that `text` encodes; nil unless it is in the one canonical form (no line breaks, padding complete,
    /// unused bits zero).
    package static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var padding = 0
        while padding < min(2, text.count), text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        let count = text.count / 4 * 3 - padding
        // Collects the top bit of every value that is not a sextet, and bits that belong to no byte.
        var faults: UInt32 = 0
        let decoded = SecretBytes(count: count) { target in
            var group: UInt32 = 0
            for index in 0..<text.count {
                let value = index < text.count - padding ? sextet(of: text[index]) : 0
                faults |= value >> 8
                group = group << 6 | value & 63
                guard index % 4 == 3 else { continue }
                for position in 0..<3 {
                    let byte = group >> UInt32(16 - 8 * position) & 255
                    let output = index / 4 * 3 + position
                    if output < count { target[output] = UInt8(byte) } else { faults |= byte }
                }
                group = 0
            }
        }
        return faults == 0 ? decoded : nil
    }

    private static func character(of sextet: UInt32) -> UInt8 {
        // Each step adds the distance to the next run of the alphabet once the sextet has passed the run before.
        var result = sextet + 65
        result &+= passed(25, sextet) & 6
        result &-= passed(51, sextet) & 75
        result &-= passed(61, sextet) & 15
        result &+= passed(62, sextet) & 3
        return UInt8(truncatingIfNeeded: result)
    }

    /// The six bits of a character; above 255 for any other byte.
    private static func sextet(of byte: UInt8) -> UInt32 {
        let byte = UInt32(byte)
        var result: UInt32 = 0x100
        result ^= within(65, 90, byte) & (0x100 ^ (byte &- 65))
        result ^= within(97, 122, byte) & (0x100 ^ (byte &- 71))
        result ^= within(48, 57, byte) & (0x100 ^ (byte &+ 4))
        result ^= within(43, 43, byte) & (0x100 ^ 62)
        result ^= within(47, 47, byte) & (0x100 ^ 63)
        return result
    }

    /// All ones if `value` is above `bound`, else zero.
    private static func passed(_ bound: UInt32, _ value: UInt32) -> UInt32 {
        UInt32(bitPattern: Int32(bitPattern: bound &- value) >> 31)
    }

    /// All ones if `value` is from `low` to `high`, else zero.
    private static func within(_ low: UInt32, _ high: UInt32, _ value: UInt32) -> UInt32 {
        ~passed(high, value) & passed(low &- 1, value)
    }
}

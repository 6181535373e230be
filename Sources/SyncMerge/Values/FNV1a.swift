// SPDX-License-Identifier: Apache-2.0

/// The 64-bit FNV-1a hash: the same on every machine and in every version, and not cryptographic.
struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// Eight bytes, the most significant first.
    mutating func combine(_ number: UInt64) {
        for shift: UInt64 in [56, 48, 40, 32, 24, 16, 8, 0] { combine(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// 128 random bits that a user writes down and types: eight groups of four characters, the last six of them a check sum.
/// Alphabet and check sum are Bech32m's (BIP 350) without its prefix: any error within six neighbouring characters, hence any
/// one mistyped group, is caught for certain, anything else but for one in 2^30.
package struct WrittenKey: Sendable {
    private static let byteCount = 16
    private static let dataSymbols = 26
    private static let checkSymbols = 6
    private static let groupLength = 4
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// Sixteen.
    package let bytes: SecretBytes

    package init(bytes: SecretBytes) { self.bytes = bytes }

    package static func random(using entropy: inout some RandomNumberGenerator) -> WrittenKey {
        WrittenKey(bytes: SecretBytes(random: byteCount, using: &entropy))
    }

    /// Reads what the user typed: upper or lower case, groups apart by spaces, hyphens or nothing. Nil where it is mistyped.
    package init?(typed text: SecretBytes) {
        var symbols = [UInt8](repeating: 0, count: Self.dataSymbols + Self.checkSymbols)
        defer { symbols.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        var count = 0
        let isWellFormed = text.withUnsafeBytes { characters in
            for character in characters {
                switch character {
                case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
                default: break
                }
                let lower = (0x41...0x5A).contains(character) ? character | 0x20 : character
                guard count < symbols.count, let value = Self.alphabet.firstIndex(of: lower) else { return false }
                symbols[count] = UInt8(value)
                count += 1
            }
            return count == symbols.count
        }
        guard isWellFormed, Self.remainder(of: symbols) == Self.checkConstant, symbols[Self.dataSymbols - 1] & 3 == 0
        else { return nil }
        bytes = SecretBytes(count: Self.byteCount) { memory in
            var bits: UInt32 = 0
            var held = 0
            var index = 0
            for symbol in symbols.prefix(Self.dataSymbols) {
                bits = (bits << 5 | UInt32(symbol)) & 0xFFF
                held += 5
                guard held >= 8, index < memory.count else { continue }
                held -= 8
                memory[index] = UInt8(truncatingIfNeeded: bits >> UInt32(held))
                index += 1
            }
        }
    }

    /// As it is shown: `XXXX-XXXX-…`, 39 characters, upper case.
    package var grouped: SecretBytes {
        var symbols = [UInt8](repeating: 0, count: Self.dataSymbols + Self.checkSymbols)
        defer { symbols.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        bytes.withUnsafeBytes { bytes in
            for index in 0..<Self.dataSymbols {
                var symbol: UInt8 = 0
                for bit in index * 5..<index * 5 + 5 {
                    let isSet = bit < bytes.count * 8 && bytes[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    symbol = symbol << 1 | (isSet ? 1 : 0)
                }
                symbols[index] = symbol
            }
        }
        let check = Self.remainder(of: symbols) ^ Self.checkConstant
        for index in 0..<Self.checkSymbols {
            symbols[Self.dataSymbols + index] = UInt8(check >> UInt32(5 * (Self.checkSymbols - 1 - index)) & 31)
        }
        let groups = symbols.count / Self.groupLength
        return SecretBytes(count: symbols.count + groups - 1) { memory in
            for (index, symbol) in symbols.enumerated() {
                let position = index + index / Self.groupLength
                let character = Self.alphabet[Int(symbol)]
                memory[position] = character >= 0x61 ? character & 0xDF : character
                if index % Self.groupLength == Self.groupLength - 1, position + 1 < memory.count {
                    memory[position + 1] = UInt8(ascii: "-")
                }
            }
        }
    }

    private static let checkConstant: UInt32 = 0x2bc8_30a3

    /// The remainder of the BCH code over GF(32) of BIP 173.
    private static func remainder(of symbols: [UInt8]) -> UInt32 {
        var remainder: UInt32 = 1
        for symbol in symbols {
            let top = remainder >> 25
            remainder = (remainder & 0x1ff_ffff) << 5 ^ UInt32(symbol)
            for (bit, term) in [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3 as UInt32].enumerated()
            where top >> UInt32(bit) & 1 == 1 { remainder ^= term }
        }
        return remainder
    }
}

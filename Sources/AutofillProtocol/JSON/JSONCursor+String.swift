// SPDX-License-Identifier: Apache-2.0

extension JSONCursor {
    /// A string with its quotes: checked as UTF-8 (RFC 3629), its escapes and surrogate pairs whole.
    mutating func string(next: UInt32) throws(JSONError) -> JSONNode {
        let start = index
        var traits: JSONNode.Traits = []
        index += 1
        while true {
            skipPlain()
            guard index < end else { throw error(.endedEarly) }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return node(from: start, .string, traits, next: next)
            case UInt8(ascii: "\\"):
                traits.insert(.escaped)
                if try escape() == 0 { traits.insert(.containsNUL) }
            case 0x80...:
                try multibyteScalar()
            default:
                throw error(.controlCharacter)
            }
        }
    }

    /// The same with lone surrogates.
    mutating func looseString() throws(JSONError) {
        takesLoneSurrogates = true
        defer { takesLoneSurrogates = false }
        _ = try string(next: 0)
    }

    /// A string, number or literal, of which strings may have lone surrogates.
    mutating func looseScalar(startingWith byte: UInt8) throws(JSONError) {
        if byte == UInt8(ascii: "\"") { try looseString() } else { _ = try scalar(startingWith: byte, next: 0) }
    }

    /// Passes over printable ASCII but quote and backslash, eight bytes at a time where there are eight.
    private mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let raw = UnsafeRawPointer(bytes)
        while index + 8 <= end {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // A byte below its bound borrows into its high bit. A false mark is possible only above a true one.
            let below = (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
            let marks = (below & ~word | word) & highs
            if marks != 0 {
                index += marks.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
        while index < end {
            switch bytes[index] {
            case 0x22, 0x5C, 0..<0x20, 0x80...: return
            default: index += 1
            }
        }
    }

    /// Consumes one escape, or a pair of them for a surrogate pair; returns the UTF-16 unit or, for a short escape, 1.
    private mutating func escape() throws(JSONError) -> UInt32 {
        let start = index
        index += 1
        guard index < end else { throw error(.endedEarly) }
        switch bytes[index] {
        case UInt8(ascii: "u"): break
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
            return 1
        default: throw JSONError(.invalidEscape, at: start)
        }
        index += 1
        let unit = try fourDigits(escapeAt: start)
        guard unit & 0xF800 == 0xD800, !takesLoneSurrogates else { return unit }
        // A high surrogate, and the low one that must follow.
        guard unit & 0xFC00 == 0xD800, index + 1 < end,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONError(.loneSurrogate, at: start) }
        index += 2
        let low = try fourDigits(escapeAt: index - 2)
        guard low & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
        return unit
    }

    private mutating func fourDigits(escapeAt start: Int) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard index < end else { throw error(.endedEarly) }
            switch bytes[index] {
            case let byte where byte &- 0x30 < 10: unit = unit << 4 | UInt32(byte &- 0x30)
            case let byte where (byte | 0x20) &- 0x61 < 6: unit = unit << 4 | UInt32((byte | 0x20) &- 0x57)
            default: throw JSONError(.invalidEscape, at: start)
            }
            index += 1
        }
        return unit
    }

    /// Consumes one scalar of two to four bytes: no overlong form, no surrogate, nothing above U+10FFFF.
    private mutating func multibyteScalar() throws(JSONError) {
        let lead = bytes[index]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw error(.invalidUTF8)
        }
        guard index + length <= end, second.contains(bytes[index + 1]) else { throw error(.invalidUTF8) }
        for position in 2..<max(length, 2) where bytes[index + position] & 0xC0 != 0x80 { throw error(.invalidUTF8) }
        index += length
    }
}

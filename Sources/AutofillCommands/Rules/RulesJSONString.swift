// SPDX-License-Identifier: Apache-2.0

/// One JSON string (RFC 8259, section 7) with white space around it. Unlike on the wire, U+0000 and lone surrogates are
/// accepted, the latter as U+FFFD: a descriptor may contain anything that a web page can contain.
enum RulesJSONString {
    static func decode(_ text: UnsafeRawBufferPointer) -> String? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) }),
            start < end, text[start] == UInt8(ascii: "\""), text[end] == UInt8(ascii: "\"")
        else { return nil }
        var rest = text[(start + 1)..<end]
        var units: [UInt16] = []
        var decoded = String.UnicodeScalarView()
        func flush() {
            // Lone surrogates become U+FFFD here.
            decoded.append(contentsOf: String(decoding: units, as: UTF16.self).unicodeScalars)
            units.removeAll()
        }
        while let byte = rest.first {
            switch byte {
            case 0..<0x20, UInt8(ascii: "\""): return nil
            case UInt8(ascii: "\\"):
                rest.removeFirst()
                guard let unit = escaped(&rest) else { return nil }
                units.append(unit)
            default:
                flush()
                let plain = rest.prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                guard let text = String(validating: plain, as: UTF8.self) else { return nil }
                decoded.append(contentsOf: text.unicodeScalars)
                rest = rest[plain.endIndex...]
            }
        }
        flush()
        return String(decoded)
    }

    /// The code unit after a backslash.
    private static func escaped(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt16? {
        guard let letter = rest.popFirst() else { return nil }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        default: return nil
        }
    }
}

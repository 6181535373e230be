// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

extension JSONWriter {
    package mutating func string(_ value: some StringProtocol) {
        // A native Swift string is read without a copy; any other is copied into one.
        if value.utf8.withContiguousStorageIfAvailable({ quote(UnsafeRawBufferPointer($0)) }) == nil {
            var copy = String(value)
            copy.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
        }
    }

    /// A member's name that is not a literal. Its value must be written next.
    package mutating func key(string name: String) {
        string(name)
        endName()
    }

    /// Printable ASCII without quote and backslash.
    package mutating func string(_ value: StaticString) {
        separate(reserving: value.utf8CodeUnitCount + 2)
        appendReserved(UInt8(ascii: "\""))
        appendReserved(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
        appendReserved(UInt8(ascii: "\""))
    }

    /// A secret, from its locked memory; it must be UTF-8.
    package mutating func secret(_ value: SecretBytes) {
        value.withUnsafeBytes { quote($0) }
    }

    /// Binary data, `{"base64": "…"}`.
    package mutating func base64(_ value: SecretBytes) {
        object { writer in
            writer.key("base64")
            writer.separate(reserving: 0)
            writer.append(UInt8(ascii: "\""))
            value.withUnsafeBytes { bytes in
                writer.append(count: Base64.encodedCount(bytes.count)) { Base64.encode(bytes, to: $0) }
            }
            writer.append(UInt8(ascii: "\""))
        }
    }

    package mutating func integer(_ value: some FixedWidthInteger & SignedInteger) {
        var magnitude = UInt64(value.magnitude)
        separate(reserving: 20)
        if value < 0 { append(UInt8(ascii: "-")) }
        var divisor: UInt64 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(magnitude / divisor))
            magnitude %= divisor
            divisor /= 10
        }
    }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func null() { raw("null") }

    /// A value that is JSON already: an id to echo, a name to repeat.
    package mutating func raw(_ value: UnsafeRawBufferPointer) {
        separate(reserving: value.count)
        append(value)
    }

    /// The same, printable ASCII.
    mutating func raw(_ value: StaticString) {
        raw(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Quotes bytes of UTF-8: escaped are the quote, the backslash and the control characters.
    private mutating func quote(_ bytes: UnsafeRawBufferPointer) {
        separate(reserving: bytes.count + 2)
        appendReserved(UInt8(ascii: "\""))
        guard Self.firstToEscape(in: bytes) != nil else {
            appendReserved(bytes)
            return appendReserved(UInt8(ascii: "\""))
        }
        var rest = bytes
        while let position = Self.firstToEscape(in: rest) {
            append(UnsafeRawBufferPointer(rebasing: rest[..<position]))
            escape(rest[position])
            rest = UnsafeRawBufferPointer(rebasing: rest[(position + 1)...])
        }
        append(rest)
        append(UInt8(ascii: "\""))
    }

    /// The position of a quote, a backslash or a control character. It reads eight bytes at a time while there are eight.
    private static func firstToEscape(in bytes: UnsafeRawBufferPointer) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index < bytes.count, bytes.count >= 8 {
            // The last word overlaps the one before it.
            index = min(index, bytes.count - 8)
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = word ^ ones &* 0x22
            let backslash = word ^ ones &* 0x5C
            let delete = word ^ ones &* 0x7F
            // A byte below its bound borrows into its high bit. A false mark only costs a second check.
            let below = (word &- ones &* 0x20) & ~word
            let equal = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (delete &- ones) & ~delete
            if (below | equal) & (ones << 7) != 0 { break }
            index += 8
        }
        return bytes[index...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }
    }

    private mutating func escape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: append(byte)
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            for byte in "u00".utf8 { append(byte) }
            for digit in [byte >> 4, byte & 15] {
                append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}

/// Members, in short: `writer.member("kind", "domain")`.
extension JSONWriter {
    /// A value that is JSON already.
    mutating func writtenValue(_ json: [UInt8]) {
        separate(reserving: json.count)
        json.withUnsafeBytes { appendReserved($0) }
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: SecretBytes) {
        key(name)
        secret(value)
    }

    package mutating func member<Failure: Error>(
        _ name: StaticString, object body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    package mutating func member<Failure: Error>(
        _ name: StaticString, array body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }
}

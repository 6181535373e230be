// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

extension JSONValue {
    /// A name, a method, an identifier. Not for secrets: a `String` leaves copies that nobody erases.
    ///
    /// - Parameter maximumBytes: of UTF-8, after unescaping.
    package func string(maximumBytes: Int = .max) throws(JSONError) -> String {
        let count = try stringCount(maximumBytes: maximumBytes, allowingNUL: false)
        let text = text
        return String(unsafeUninitializedCapacity: count) { memory in
            text.copy(to: UnsafeMutableRawBufferPointer(memory))
            return count
        }
    }

    /// Whether it is a string with exactly this content; without allocation.
    package func matches(_ other: StaticString) -> Bool {
        kind == .string
            && text.equals(UnsafeRawBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }

    /// A string that is one of the raw values, byte for byte: `==` on `String` would take a Kelvin sign for a K.
    package func choice<Choice: RawRepresentable<String>>(
        of type: Choice.Type = Choice.self
    ) throws(JSONError) -> Choice {
        let text = try string()
        guard let choice = Choice(rawValue: text), choice.rawValue.utf8.elementsEqual(text.utf8) else {
            throw error(.notAllowed)
        }
        return choice
    }

    /// A secret, unescaped straight into locked memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: of UTF-8, after unescaping.
    ///   - allowingNUL: for `data` members, which may carry U+0000.
    package func secret(maximumBytes: Int = .max, allowingNUL: Bool = false) throws(JSONError) -> SecretBytes {
        let count = try stringCount(maximumBytes: maximumBytes, allowingNUL: allowingNUL)
        let text = text
        return SecretBytes(count: count) { text.copy(to: $0) }
    }

    /// Binary data, `{"base64": "…"}`, decoded directly into locked memory. Unknown members are ignored.
    package func base64(maximumBytes: Int = .max) throws(JSONError) -> SecretBytes {
        guard let value = try member("base64"), value.kind == .string else { throw error(.invalidBase64) }
        let decoded: SecretBytes? =
            value.text.isEscaped
            ? try value.secret().withUnsafeBytes { Base64.decode($0) } : Base64.decode(value.text.bytes)
        guard let decoded else { throw value.error(.invalidBase64) }
        guard decoded.count <= maximumBytes else { throw value.error(.tooManyBytes(limit: maximumBytes)) }
        return decoded
    }

    /// An integer within ±(2^53−1) and `range`.
    package func integer(in range: ClosedRange<Int64> = -0x1F_FFFF_FFFF_FFFF...0x1F_FFFF_FFFF_FFFF)
        throws(JSONError) -> Int64
    {
        if kind == .number { throw error(.notAnInteger) }
        try expect(.integer)
        var magnitude: Int64 = 0
        var isNegative = false
        for byte in rawSlice {
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else {
                magnitude = magnitude * 10 + Int64(byte - UInt8(ascii: "0"))
            }
        }
        let value = isNegative ? -magnitude : magnitude
        guard range.contains(value) else { throw error(.outOfRange(range)) }
        return value
    }

    package func bool() throws(JSONError) -> Bool {
        try expect(.bool)
        return node.traits.contains(.isTrue)
    }

    private func stringCount(maximumBytes: Int, allowingNUL: Bool) throws(JSONError) -> Int {
        try expect(.string)
        guard allowingNUL || !node.traits.contains(.containsNUL) else { throw error(.containsNUL) }
        let count = text.unescapedCount
        guard count <= maximumBytes else { throw error(.tooManyBytes(limit: maximumBytes)) }
        return count
    }
}

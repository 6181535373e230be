// SPDX-License-Identifier: Apache-2.0

/// An IP address as the host of an origin, in the one spelling that browsers use: four decimal numbers, or in brackets
/// the shortest form of RFC 5952.
package struct AddressLiteral: Hashable, Sendable {
    /// 4 or 16.
    private let bytes: [UInt8]

    /// nil for what is neither.
    package init?(_ text: Substring) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 2
        guard let bytes = isBracketed ? Self.six(text.dropFirst().dropLast()) : Self.four(text) else { return nil }
        self.bytes = bytes
    }

    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let written = groups.map { String($0, radix: 16) }
        guard let gap = Self.longestZeros(groups) else { return "[\(written.joined(separator: ":"))]" }
        let (before, after) = (written[..<gap.lowerBound], written[gap.upperBound...])
        return "[\(before.joined(separator: ":"))::\(after.joined(separator: ":"))]"
    }

    /// The first of the longest runs of two or more groups that are zero.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var (longest, start) = (0..<1, 0)
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        return longest.count > 1 ? longest : nil
    }

    /// 127.0.0.0/8, ::1.
    package var isLoopback: Bool {
        four.map { $0[0] == 127 } ?? (bytes == Array(repeating: 0, count: 15) + [1])
    }

    /// Whether it is of a network of one's own: RFC 1918, RFC 4193, link-local (RFC 3927, RFC 4291), or the machine
    /// itself.
    package var isPrivate: Bool {
        if isLoopback { return true }
        guard let four else { return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }
        switch (four[0], four[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254): return true
        default: return false
        }
    }

    /// The IPv4 address that it is, or that is mapped into it (RFC 4291, section 2.5.5.2).
    private var four: [UInt8]? {
        if bytes.count == 4 { return bytes }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : nil
    }

    private static func four(_ text: Substring) -> [UInt8]? {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 4 else { return nil }
        let bytes = fields.compactMap { field in
            field.utf8.allSatisfy { (0x30...0x39).contains($0) } && !(field.utf8.count > 1 && field.hasPrefix("0"))
                ? UInt8(field) : nil
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func six(_ text: Substring) -> [UInt8]? {
        var halves = [text]
        // Characters, not strings: searching for a string links the library of regular expressions.
        if let gap = text.indices.first(where: { text[$0...].hasPrefix("::") }) {
            halves = [text[..<gap], text[gap...].dropFirst(2)]
        }
        let read = halves.compactMap { half in half.isEmpty ? [] : groups(half, isLast: half.endIndex == text.endIndex)
        }
        guard read.count == halves.count else { return nil }
        let length = read.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? length < 15 : length == 16 else { return nil }
        return read[0] + Array(repeating: 0, count: 16 - length) + (halves.count == 2 ? read[1] : [])
    }

    private static func groups(_ text: Substring, isLast: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, field) in fields.enumerated() {
            if isLast, index == fields.count - 1, let four = four(field) {
                bytes += four
                continue
            }
            guard (1...4).contains(field.utf8.count), field.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let group = UInt16(field, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

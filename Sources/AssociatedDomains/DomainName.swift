// SPDX-License-Identifier: Apache-2.0

/// A host's full name in lower case, non-ASCII labels in their A-label form (`xn--bcher-kva.example`). RFC 1035 section
/// 2.3.4 (63 bytes a label, 253 in all without the root), RFC 1123 section 2.1 (a label may begin with a digit), RFC
/// 5890 section 2.3.2.1 (an A-label is Punycode that decodes and encodes back). Hyphens in the third and fourth
/// position are allowed in other labels too, as on the web: such hosts exist.
package struct DomainName: Hashable, Sendable {
    /// Bytes, without a trailing full stop.
    package static let limit = 253
    package static let labelLimit = 63

    package let text: String

    /// Upper case becomes lower case; everything else that is no plain name is refused, each with its own error.
    package init(_ text: String) throws(DomainNameError) {
        guard !Self.isPlain(text) else {
            self.text = text
            return
        }
        guard !text.isEmpty else { throw .empty }
        try Self.refuseOtherThanName(text)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII(suggestion: Self.suggestion(for: text)) }
        let lower = text.lowercased()
        guard !lower.hasSuffix(".") else { throw .trailingDot }
        guard lower.utf8.count <= Self.limit else { throw .tooLong(bytes: lower.utf8.count) }
        let labels = lower.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        if let last = labels.last, last.isNumber { throw .addressLiteral }
        guard labels.count >= 2 else { throw .singleLabel }
        self.text = lower
    }

    /// The labels, the most specific first.
    package var labels: [Substring] { text.split(separator: ".") }

    /// Whether this is one or more labels below the other.
    package func isBelow(_ other: DomainName) -> Bool { text.hasSuffix("." + other.text) }
}

extension DomainName: Comparable, CustomStringConvertible {
    package static func < (left: DomainName, right: DomainName) -> Bool { left.text < right.text }

    package var description: String { text }
}

extension DomainName {
    /// Refuses addresses of other kinds, each with its own error.
    private static func refuseOtherThanName(_ text: String) throws(DomainNameError) {
        // Characters, not strings: searching for a string links the library of regular expressions.
        if zip(text.utf8, text.utf8.dropFirst()).contains(where: { $0 == UInt8(ascii: "/") && $1 == $0 }) {
            throw .scheme
        }
        if text.contains("@" as Character) { throw .userInformation }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        if text.contains("[" as Character) || colons > 1 { throw .addressLiteral }
        if text.contains(where: { "/?#".contains($0) }) { throw .path }
        if colons == 1 { throw .port }
        if text.contains("*" as Character) { throw .wildcard }
    }

    private static func check(_ label: Substring) throws(DomainNameError) {
        guard !label.isEmpty else { throw .emptyLabel }
        guard label.utf8.count <= labelLimit else { throw .labelTooLong(String(label)) }
        if let wrong = label.unicodeScalars.first(where: { !$0.isLabelScalar }) { throw .invalidCharacter(wrong) }
        guard !label.hasPrefix("-"), !label.hasSuffix("-") else { throw .hyphenAtEdge(String(label)) }
        guard !label.hasPrefix("xn--") || Punycode.isCanonical(label.dropFirst(4)) else {
            throw .invalidALabel(String(label))
        }
    }

    /// The A-label form of a name that needs no mapping but lower case; nil where the full rules of UTS 46 would be
    /// needed to be sure.
    private static func suggestion(for text: String) -> String? {
        var labels: [String] = []
        for label in text.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                labels.append(String(label))
                continue
            }
            let scalars = Array(label.unicodeScalars)
            guard scalars.allSatisfy(\.needsNoMapping), let encoded = Punycode.encode(scalars) else { return nil }
            labels.append("xn--" + encoded)
        }
        return try? DomainName(labels.joined(separator: ".")).text
    }

    /// Whether it is a valid name without conversion, checked in one pass: no label is an A-label, and the last begins
    /// with a letter. Other valid names are recognised by the full check.
    private static func isPlain(_ text: String) -> Bool {
        var (length, labels, previous, beginsWithLetter) = (0, 1, UInt8(ascii: "."), false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard length > 0, previous != UInt8(ascii: "-") else { return false }
                labels += 1
                length = -1
            case UInt8(ascii: "-"): guard length > 0 else { return false }
            case UInt8(ascii: "x") where length == 0: return false
            case UInt8(ascii: "a")...UInt8(ascii: "z"): if length == 0 { beginsWithLetter = true }
            case UInt8(ascii: "0")...UInt8(ascii: "9"): if length == 0 { beginsWithLetter = false }
            default: return false
            }
            length += 1
            guard length <= labelLimit else { return false }
            previous = byte
        }
        return labels > 1 && length > 0 && previous != UInt8(ascii: "-") && beginsWithLetter
            && text.utf8.count <= limit
    }
}

extension Substring {
    /// Decimal or 0x-hexadecimal: as a last label it makes the whole an IPv4 address to the web (WHATWG URL, "ends in a
    /// number").
    fileprivate var isNumber: Bool {
        let hexadecimal = hasPrefix("0x") && dropFirst(2).allSatisfy(\.isHexDigit)
        return hexadecimal || allSatisfy { ("0"..."9").contains($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isLabelScalar: Bool {
        switch self {
        case "a"..."z", "0"..."9", "-": true
        default: false
        }
    }

    /// A lower-case letter or digit that case folding, NFC and NFKC leave unchanged in any position.
    fileprivate var needsNoMapping: Bool {
        if self == "-" { return true }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .decimalNumber: return !properties.changesWhenNFKCCaseFolded
        default: return false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The names below which anyone can register a name (`com`, `co.uk`, `github.io`), by the list of publicsuffix.org.
/// Access to a suffix would be access to names of unrelated owners.
///
/// Of each rule only a hash is kept. Of the list's ten thousand rules no two collide (a test checks this); a name made
/// to collide with a rule would only be refused.
package struct PublicSuffixList: Sendable {
    private var rules: NameHashSet
    /// The names that a rule's name ends with, after a dot: below each is a suffix.
    private var parents = NameHashSet(capacity: 1_024)

    /// - Parameter text: the list in its own format, UTF-8: a rule a line, up to the first space; `//` begins a
    ///   comment.
    package init(_ text: [UInt8]) {
        rules = NameHashSet(capacity: text.count / 32)
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] > UInt8(ascii: " ") { end += 1 }
                let isComment = end - start >= 2 && bytes[start] == UInt8(ascii: "/")
                if end > start, !isComment { add(bytes[start..<end]) }
                while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                start = end + 1
            }
        }
    }

    /// From its end on: the hash of what is behind a dot is there when the dot is.
    private mutating func add(_ rule: Slice<UnsafeBufferPointer<UInt8>>) {
        let isException = rule.first == UInt8(ascii: "!")
        var hash = RuleHash()
        for byte in rule.reversed() {
            if byte == UInt8(ascii: "."), !isException { parents.insert(hash.value) }
            hash.add(byte)
        }
        rules.insert(hash.value)
    }

    package var count: Int { rules.count }

    /// Whether the name is such a suffix itself. An exception (`!www.ck`) precedes a rule, a rule is a name or has an
    /// asterisk for one label (`*.ck`).
    package func contains(_ name: DomainName) -> Bool {
        let text = name.unicode
        if isException(text) { return false }
        let parent = text.drop { $0 != "." }
        return has(text) || has("*" + parent)
    }

    /// Whether a name below this one is such a suffix (`kawasaki.jp`, by the rule `*.kawasaki.jp`): access to all names
    /// below it would be access to names of unrelated owners.
    package func containsBelow(_ name: DomainName) -> Bool { parents.contains(Self.hash(name.unicode)) }

    /// The registered name, whose owner owns all names below it: one label more than the longest suffix that it ends
    /// with (the list's algorithm: a last label that has no rule is a suffix too). nil for a suffix itself.
    package func registrableDomain(of name: DomainName) -> DomainName? {
        if contains(name) { return nil }
        var shorter = name
        while !isException(shorter.unicode), let above = shorter.above, !contains(above) { shorter = above }
        return shorter
    }

    private func isException(_ text: String) -> Bool { has("!" + text) }

    private func has(_ rule: String) -> Bool { rules.contains(Self.hash(rule)) }

    private static func hash(_ text: String) -> UInt64 {
        var hash = RuleHash()
        for byte in text.utf8.reversed() { hash.add(byte) }
        return hash.value
    }
}

/// FNV-1a, 64 bits, of the bytes from the last one to the first.
private struct RuleHash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

extension DomainName {
    /// The name without its first label; nil where only one would be left.
    fileprivate var above: DomainName? { try? DomainName(labels.dropFirst().joined(separator: ".")) }

    /// The name with its A-labels decoded, as the list has it.
    fileprivate var unicode: String {
        guard labels.contains(where: { $0.hasPrefix("xn--") }) else { return text }
        return labels.map { label in
            guard label.hasPrefix("xn--"), let scalars = Punycode.decode(label.dropFirst(4)) else {
                return String(label)
            }
            var decoded = String.UnicodeScalarView()
            decoded.append(contentsOf: scalars)
            return String(decoded)
        }.joined(separator: ".")
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A set of printable ASCII characters, space to tilde.
package struct PrintableSet: Hashable, Sendable {
    /// One bit a character: U+0020 to U+005F, then U+0060 to U+007E.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init() {}

    /// The characters of a text; what is not printable ASCII is left out.
    package init(_ characters: some Sequence<UInt8>) {
        for character in characters { insert(character) }
    }

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    package static let upper = PrintableSet(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    package static let lower = PrintableSet(UInt8(ascii: "a")...UInt8(ascii: "z"))
    package static let digit = PrintableSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    package static let all = PrintableSet(UInt8(ascii: " ")...UInt8(ascii: "~"))
    package static let special = all.subtracting(upper).subtracting(lower).subtracting(digit)

    package static func isPrintable(_ byte: UInt8) -> Bool { byte &- 0x20 < 95 }

    /// Ignored where the byte is not printable ASCII.
    package mutating func insert(_ byte: UInt8) {
        let index = byte &- 0x20
        if index < 64 {
            low |= 1 &<< UInt64(index)
        } else if index < 95 {
            high |= 1 &<< UInt64(index &- 64)
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        let index = byte &- 0x20
        if index < 64 { return low &>> UInt64(index) & 1 == 1 }
        return index < 95 && high &>> UInt64(index &- 64) & 1 == 1
    }

    package mutating func formUnion(_ other: PrintableSet) {
        low |= other.low
        high |= other.high
    }

    package func union(_ other: PrintableSet) -> PrintableSet {
        PrintableSet(low: low | other.low, high: high | other.high)
    }

    package func intersection(_ other: PrintableSet) -> PrintableSet {
        PrintableSet(low: low & other.low, high: high & other.high)
    }

    package func subtracting(_ other: PrintableSet) -> PrintableSet {
        PrintableSet(low: low & ~other.low, high: high & ~other.high)
    }

    package func isSubset(of other: PrintableSet) -> Bool { low & ~other.low | high & ~other.high == 0 }

    package func isDisjoint(with other: PrintableSet) -> Bool { low & other.low | high & other.high == 0 }

    package var isEmpty: Bool { low | high == 0 }
    package var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// The characters in ASCII order.
    package var characters: [UInt8] { (0x20...0x7E).filter(contains) }

    /// The characters in the canonical order: A–Z, a–z, 0–9, then the others in ASCII order.
    package var canonicalCharacters: [UInt8] {
        [PrintableSet.upper, .lower, .digit, .special].flatMap { intersection($0).characters }
    }
}

extension PrintableSet: Comparable {
    /// An order without meaning, so that sets can be sorted.
    package static func < (left: PrintableSet, right: PrintableSet) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

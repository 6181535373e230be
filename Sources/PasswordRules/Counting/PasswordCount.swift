// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How many passwords there are: an exact integer.
package struct PasswordCount: Hashable, Sendable {
    /// The words, least first, without leading zeros.
    let words: [UInt64]

    init(words: some Collection<UInt64>) {
        self.words = Array(words.prefix((words.lastNonzeroOffset ?? -1) + 1))
    }

    init(_ value: UInt128) {
        self.init(words: [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)])
    }

    package static let zero = PasswordCount(0)

    package var isZero: Bool { words.isEmpty }

    /// The base-2 logarithm, to the precision of a Double: the entropy of a uniform draw. Nil for 0.
    package var bits: Double? {
        guard let top = words.last else { return nil }
        let next = words.count > 1 ? words[words.count - 2] : 0
        let leading = Double(top) + Double(next) * 0x1p-64
        return log2(leading) + Double(64 * (words.count - 1))
    }
}

extension PasswordCount: CustomStringConvertible {
    /// The number in decimal digits.
    package var description: String {
        var words = words
        var groups: [UInt64] = []
        let divisor: UInt64 = 10_000_000_000_000_000_000
        while !words.isEmpty {
            var remainder: UInt64 = 0
            for index in words.indices.reversed() {
                (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
            }
            groups.append(remainder)
            while words.last == 0 { words.removeLast() }
        }
        guard let first = groups.popLast() else { return "0" }
        return groups.reversed().reduce(into: String(first)) { text, group in
            let digits = String(group)
            text += String(repeating: "0", count: 19 - digits.count) + digits
        }
    }
}

extension PasswordCount: Comparable {
    package static func < (left: PasswordCount, right: PasswordCount) -> Bool {
        if left.words.count != right.words.count { return left.words.count < right.words.count }
        return right.words.reversed().lexicographicallyPrecedes(left.words.reversed()) ? false : left != right
    }
}

extension Collection<UInt64> {
    fileprivate var lastNonzeroOffset: Int? {
        var last: Int?
        for (offset, word) in enumerated() where word != 0 { last = offset }
        return last
    }
}

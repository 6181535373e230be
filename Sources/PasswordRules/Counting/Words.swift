// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on numbers of several 64-bit words, least first. Sums and differences fit into the target by the
/// construction of its caller, and a target has no fewer words than what is added to it.
enum Words {
    typealias Number = UnsafePointer<UInt64>
    typealias Target = UnsafeMutablePointer<UInt64>

    /// Words that hold any number of passwords of a length over an alphabet.
    static func count(length: Int, alphabet: Int) -> Int {
        // An alphabet of 2^b − 1 or fewer characters uses b bits a character.
        let bitsPerLength = UInt64.bitWidth - UInt64(alphabet).leadingZeroBitCount
        return max(1, (length * bitsPerLength + 63) / 64)
    }

    @inline(__always)
    static func add(_ number: Number, times factor: UInt64, to target: Target, words: Int, of targetWords: Int) {
        var carry: UInt64 = 0
        var index = 0
        while index < words {
            let product = number[index].multipliedFullWidth(by: factor)
            let (low, first) = product.low.addingReportingOverflow(carry)
            let (sum, second) = target[index].addingReportingOverflow(low)
            target[index] = sum
            carry = product.high &+ word(first) &+ word(second)
            index &+= 1
        }
        while carry != 0, index < targetWords {
            let (sum, overflow) = target[index].addingReportingOverflow(carry)
            target[index] = sum
            carry = word(overflow)
            index &+= 1
        }
    }

    @inline(__always)
    static func add(_ number: Number, to target: Target, words: Int, of targetWords: Int) {
        var carry: UInt64 = 0
        var index = 0
        while index < words {
            let (low, first) = target[index].addingReportingOverflow(number[index])
            let (sum, second) = low.addingReportingOverflow(carry)
            target[index] = sum
            carry = word(first) | word(second)
            index &+= 1
        }
        while carry != 0, index < targetWords {
            let (sum, overflow) = target[index].addingReportingOverflow(carry)
            target[index] = sum
            carry = word(overflow)
            index &+= 1
        }
    }

    @inline(__always)
    static func subtract(_ number: Number, from target: Target, words: Int, of targetWords: Int) {
        var borrow: UInt64 = 0
        var index = 0
        while index < words {
            let (low, first) = target[index].subtractingReportingOverflow(number[index])
            let (difference, second) = low.subtractingReportingOverflow(borrow)
            target[index] = difference
            borrow = word(first) | word(second)
            index &+= 1
        }
        while borrow != 0, index < targetWords {
            let (difference, overflow) = target[index].subtractingReportingOverflow(borrow)
            target[index] = difference
            borrow = word(overflow)
            index &+= 1
        }
    }

    @inline(__always)
    private static func word(_ flag: Bool) -> UInt64 { flag ? 1 : 0 }

    /// Whether the number, of no more words, is greater than the other.
    static func isGreater(_ number: Number, words: Int, than other: Number, of otherWords: Int) -> Bool {
        for index in (words..<otherWords).reversed() where other[index] != 0 { return false }
        for index in (0..<words).reversed() where number[index] != other[index] { return number[index] > other[index] }
        return false
    }
}

// SPDX-License-Identifier: Apache-2.0

extension JSONCursor {
    /// 2^53 − 1, the largest integer that every JSON library reads exactly.
    static let largestInteger: UInt64 = 9_007_199_254_740_991

    /// `-`? (`0` | [1-9] digits) (`.` digits)? ([eE] [+-]? digits)?
    mutating func number(next: UInt32) throws(JSONError) -> JSONNode {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let firstDigit = index
        var magnitude: UInt64 = 0
        while let digit = digit() {
            // 17 digits are past the largest integer and far from overflow; what follows cannot make it smaller.
            if magnitude <= Self.largestInteger { magnitude = magnitude * 10 + UInt64(digit) }
            index += 1
        }
        try requireDigits(since: firstDigit)
        if index - firstDigit > 1 && bytes[firstDigit] == UInt8(ascii: "0") {
            throw JSONError(.invalidNumber, at: firstDigit)
        }
        var kind = magnitude <= Self.largestInteger ? JSONKind.integer : .number
        if index < end && bytes[index] == UInt8(ascii: ".") {
            kind = .number
            index += 1
            try digits()
        }
        if index < end && bytes[index] | 0x20 == UInt8(ascii: "e") {
            kind = .number
            index += 1
            if index < end && (bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")) { index += 1 }
            try digits()
        }
        return node(from: start, kind, [], next: next)
    }

    private func digit() -> UInt8? {
        guard index < end else { return nil }
        let value = bytes[index] &- UInt8(ascii: "0")
        return value < 10 ? value : nil
    }

    private mutating func digits() throws(JSONError) {
        let first = index
        while digit() != nil { index += 1 }
        try requireDigits(since: first)
    }

    private func requireDigits(since first: Int) throws(JSONError) {
        guard index > first else { throw error(index < end ? .invalidNumber : .endedEarly) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Several uniform digits of given bases from one 64-bit random number, without bias.
///
/// Each digit is the high half of a product with its base, the low half continues; the draw is void where what remains
/// is below 2^64 mod the product of the bases (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
/// Generation", 2024).
struct UniformDigits: Sendable {
    private let threshold: UInt64

    /// - Parameter product: the product of the bases of all digits of one number.
    init(product: UInt64) { threshold = (0 &- product) % product }

    @inline(__always)
    static func take(_ base: UInt64, from random: inout UInt64) -> Int {
        let (high, low) = random.multipliedFullWidth(by: base)
        random = low
        return Int(truncatingIfNeeded: high)
    }

    /// Whether the digits are valid, by what remains of the number.
    @inline(__always)
    func accepts(_ rest: UInt64) -> Bool { rest >= threshold }

    /// The most digits of a base that one number has, of those needed, and the product of their bases.
    static func batch(base: UInt64, wanted: Int) -> (digits: Int, product: UInt64) {
        var (digits, product) = (0, UInt64(1))
        while digits < wanted {
            let (next, overflow) = product.multipliedReportingOverflow(by: base)
            if overflow { break }
            (digits, product) = (digits + 1, next)
        }
        return (digits, product)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Which lines are held against the schema: of each method the first ones, and of all others a sample, the same in every run.
/// Checking one costs more than sending it, and a play sends a hundred thousand.
struct SchemaSample {
    private static let first: UInt64 = 24
    private var counts: [String: UInt64] = [:]

    /// Whether the next line of a method is checked.
    ///
    /// - Parameter bits: one in 2^bits of those after the first.
    mutating func takes(_ method: String, bits: UInt64 = 4) -> Bool {
        let count = counts[method, default: 0]
        counts[method] = count + 1
        // A Weyl sequence: no pattern of a test keeps step with it.
        return count < Self.first || (count &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits) == 0
    }
}

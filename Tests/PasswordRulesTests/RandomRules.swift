// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround

/// Random rules over few characters, for comparison with brute force.
enum RandomRules {
    /// Alphabets with chains, palindromes of chains, gaps and characters outside every sequence.
    private static let alphabets = ["abcd", "abcXYZ", "ab01", "a!b?", "mnop", "acegi", "Zab9", "x", "yz", "012-"]

    static func make(_ generator: inout SeededGenerator) throws -> PasswordRules {
        let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &generator)]
        func characters() throws -> PasswordRule.CharacterClass {
            let count = Int.random(in: 1...alphabet.count, using: &generator)
            return try .custom(alphabet.shuffled(using: &generator).prefix(count))
        }
        var rules: [PasswordRule] = [.allowed(try .custom(alphabet))]
        for _ in 0..<Int.random(in: 0...4, using: &generator) { rules.append(.required(try characters())) }
        if Int.random(in: 0..<4, using: &generator) == 0, let last = rules.last { rules.append(last) }
        func limit() -> UInt { UInt.random(in: 1...4, using: &generator) }
        if Bool.random(using: &generator) { rules.append(.maxConsecutive(limit())) }
        if Int.random(in: 0..<3, using: &generator) == 0 { rules.append(.maxRepeating(limit())) }
        if Int.random(in: 0..<3, using: &generator) == 0 { rules.append(.maxSequential(limit())) }
        return try PasswordRules(rules: rules)
    }
}

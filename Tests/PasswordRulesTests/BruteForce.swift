// SPDX-License-Identifier: Apache-2.0
import PasswordRules

/// The meaning of rules, written as directly as possible and by other means than the module uses.
enum BruteForce {
    /// Every password of a length over the allowed characters that meets the rules.
    static func passwords(_ rules: PasswordRules, length: Int, reading: PasswordRules.CountReading) -> [[UInt8]] {
        guard length >= rules.minLength ?? 0, length <= rules.maxLength ?? .max else { return [] }
        let alphabet = rules.allowed.characters.characters
        var found: [[UInt8]] = []
        var password = [UInt8](repeating: 0, count: length)
        func extend(_ position: Int) {
            if position == length {
                if isValid(password, rules, reading) { found.append(password) }
                return
            }
            for character in alphabet {
                password[position] = character
                extend(position + 1)
            }
        }
        extend(0)
        return found
    }

    static func isValid(_ password: [UInt8], _ rules: PasswordRules, _ reading: PasswordRules.CountReading) -> Bool {
        let required = rules.required.map(\.characters).filter { !$0.isEmpty }
        let meetsRequired =
            switch reading {
            case .strict: matches(required, password[...])
            case .legacy: required.allSatisfy { set in password.contains { set.contains($0) } }
            }
        let repeating = min(rules.maxConsecutive ?? .max, rules.maxRepeating ?? .max)
        let consecutive = reading == .strict ? rules.maxConsecutive ?? .max : .max
        let sequential = min(consecutive, rules.maxSequential ?? .max)
        return meetsRequired && password.allSatisfy { rules.allowed.characters.contains($0) }
            && longest(password) { $0 == $1 } <= repeating
            && longest(password) { inSequence($0, $1) } <= sequential
            && longest(password) { inSequence($1, $0) } <= sequential
    }

    /// Assigns each character to the first set, in order, and tries to meet the others with the rest.
    private static func matches(_ sets: [PrintableSet], _ password: ArraySlice<UInt8>) -> Bool {
        guard let set = sets.first else { return true }
        return password.indices.contains { index in
            set.contains(password[index])
                && matches(Array(sets.dropFirst()), (password[..<index] + password[(index + 1)...])[...])
        }
    }

    private static func longest(_ password: [UInt8], _ continues: (UInt8, UInt8) -> Bool) -> Int {
        var (longest, run) = (password.isEmpty ? 0 : 1, 1)
        for (first, second) in zip(password, password.dropFirst()) {
            run = continues(first, second) ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest
    }

    private static let orders = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"]
        .map { Array($0.utf8) }

    private static func inSequence(_ first: UInt8, _ second: UInt8) -> Bool {
        orders.contains { order in
            order.firstIndex(of: first).map { $0 + 1 < order.count && order[$0 + 1] == second } ?? false
        }
    }
}

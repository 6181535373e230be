// SPDX-License-Identifier: Apache-2.0

/// Which required rules the characters of a password meet, when each meets one rule at most: a matching, found by
/// augmenting paths.
struct RequiredMatching {
    /// What is missing, in the order of the rules; equal rules are one violation.
    private(set) var violations: [PasswordViolation] = []
    private let demands: [PasswordRule.CharacterClass]
    private let occurrences: [Int]
    /// For each kind of character, the demands that its occurrences serve.
    private var served = [[Int]](repeating: [], count: 128)

    init(_ rules: PasswordRules, _ occurrences: [Int]) {
        self.occurrences = occurrences
        var distinct: [PasswordRule.CharacterClass] = []
        var multiplicities: [Int] = []
        for required in rules.required where !required.characters.isEmpty {
            if let index = distinct.firstIndex(of: required) {
                multiplicities[index] += 1
            } else {
                distinct.append(required)
                multiplicities.append(1)
            }
        }
        demands = distinct
        for demand in demands.indices {
            var missing = 0
            for _ in 0..<multiplicities[demand] {
                var seen = Seen(demands: [demand])
                if !serve(demand, &seen) { missing += 1 }
            }
            guard missing > 0 else { continue }
            violations.append(
                PasswordViolation(.required, PasswordRule.required(demands[demand]).description, missing: missing))
        }
    }

    private struct Seen {
        var kinds: Set<Int> = []
        var demands: Set<Int>
    }

    private func canServe(_ kind: Int, _ demand: Int) -> Bool {
        kind == 127 ? demands[demand].isUnicode : demands[demand].characters.contains(UInt8(kind))
    }

    /// Finds a character for one more of a demand, moving others where that helps.
    private mutating func serve(_ demand: Int, _ seen: inout Seen) -> Bool {
        for kind in occurrences.indices
        where occurrences[kind] > 0 && canServe(kind, demand) && seen.kinds.insert(kind).inserted {
            if served[kind].count < occurrences[kind] {
                served[kind].append(demand)
                return true
            }
            for (index, other) in served[kind].enumerated()
            where seen.demands.insert(other).inserted && serve(other, &seen) {
                served[kind][index] = demand
                return true
            }
        }
        return false
    }
}

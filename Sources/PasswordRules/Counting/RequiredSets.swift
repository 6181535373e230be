// SPDX-License-Identifier: Apache-2.0

/// The required classes of rules: equal ones merged with their number, empty ones left out.
struct RequiredSets {
    private(set) var multiplicities: [PrintableSet: Int] = [:]

    init(_ rules: PasswordRules) {
        for required in rules.required where !required.characters.isEmpty {
            multiplicities[required.characters, default: 0] += 1
        }
    }

    /// How many characters they need together.
    var total: Int { multiplicities.values.reduce(0, +) }

    /// Without a set: one of every allowed character is met by any password that is long enough (Hall's theorem).
    func removing(_ set: PrintableSet) -> RequiredSets {
        var rest = self
        rest.multiplicities[set] = nil
        return rest
    }

    func multiplicities(of sets: [PrintableSet]) -> [Int] { sets.map { multiplicities[$0] ?? 0 } }

    /// The sets in groups that have no character in common. The order depends on the sets alone.
    var overlappingGroups: [[PrintableSet]] {
        var groups: [(union: PrintableSet, sets: [PrintableSet])] = []
        for set in multiplicities.keys.sorted() {
            var merged = (union: set, sets: [set])
            for group in groups where !group.union.isDisjoint(with: set) {
                merged.union.formUnion(group.union)
                merged.sets += group.sets
            }
            groups.removeAll { !$0.union.isDisjoint(with: set) }
            groups.append(merged)
        }
        return groups.map(\.sets)
    }
}

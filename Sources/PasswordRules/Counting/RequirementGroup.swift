// SPDX-License-Identifier: Apache-2.0

/// Required sets that overlap one another, directly or through others, and the automaton of those that the characters
/// so far can meet.
///
/// Required rules need distinct characters, so this is a matching: a state is the family of all demands that the
/// characters so far can meet together, a bitmap over the lattice of demands 0...multiplicity of each set. A further
/// character of the sets T meets, besides the old demands, any of them with one more for a set of T. A state changes
/// only when one more demand can be met in all: hence no cycles but loops.
struct RequirementGroup {
    /// For each distinct set of required sets that some character belongs to: its bit mask.
    let signatures: [UInt8]
    /// The next state, by state and signature. The first state is the start.
    private(set) var transitions: [Int32] = []
    /// How many more characters a state needs, at the least.
    private(set) var needs: [Int32] = []
    /// The only state that needs no more.
    private(set) var accepting = 0

    var stateCount: Int { needs.count }

    init(
        sets: [PrintableSet], multiplicities: [Int], reading: PasswordRules.CountReading
    ) throws(PasswordRulesRefusal) {
        guard sets.count <= PasswordRulesLimits.overlappingSets else {
            throw .tooComplex(.overlappingSets(sets.count))
        }
        var masks: Set<UInt8> = []
        for character in UInt8(0x20)...0x7E {
            masks.insert(sets.indices.reduce(UInt8(0)) { $0 | (sets[$1].contains(character) ? 1 << UInt8($1) : 0) })
        }
        signatures = masks.subtracting([0]).sorted()
        switch reading {
        case .strict: try buildMatching(multiplicities)
        case .legacy: buildHits(sets.count)
        }
    }

    /// Each set is hit or not, by any character.
    private mutating func buildHits(_ sets: Int) {
        let all = 1 << sets
        transitions = (0..<all).flatMap { state in signatures.map { Int32(state | Int($0)) } }
        needs = (0..<all).map { Int32($0 == all - 1 ? 0 : 1) }
        accepting = all - 1
    }

    private mutating func buildMatching(_ multiplicities: [Int]) throws(PasswordRulesRefusal) {
        let lattice = try DemandLattice(multiplicities)
        var states = StateTable(words: lattice.words)
        var current = [UInt64](repeating: 0, count: lattice.words)
        var next = current
        current[0] = 1
        _ = states.index(of: current)
        needs = [Int32(multiplicities.reduce(0, +))]
        var state = 0
        var steps = 0
        while state < states.count {
            states.copy(state, to: &current)
            for mask in signatures {
                steps += (mask.nonzeroBitCount + 3) * lattice.words
                let isNew = lattice.add(mask, to: current, giving: &next)
                let index = isNew ? states.index(of: next) : state
                if index == needs.count {
                    needs.append(needs[state] - 1)
                    if needs[index] == 0 { accepting = index }
                }
                transitions.append(Int32(index))
            }
            state += 1
            guard states.count <= PasswordRulesLimits.states else { throw .tooComplex(.states) }
            guard steps <= PasswordRulesLimits.matchingSteps else { throw .tooComplex(.matchingSteps) }
        }
    }
}

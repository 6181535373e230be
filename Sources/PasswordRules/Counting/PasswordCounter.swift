// SPDX-License-Identifier: Apache-2.0

/// Counts the passwords of every length, shortest first, exactly.
///
/// Where runs are limited, the state of a password also has its last character and the run that it ends: `fresh`, the
/// k-th of equal ones, or the k-th of an ascending or descending run. With `t(q, n)` for the continuations of state q
/// with n characters and no limited run, and `f(c, q, n)` for those after a fresh c,
///
///     t(q, n) = Σ f(d, q·d, n−1) over all characters d
///     f(c, q, n) = t(q, n), corrected for d = c and the neighbours of c, where a run begins
///
/// and the count after the k-th character of a run differs from that after a fresh one only by the count of the run's next
/// character. So each cell costs a few additions, however many characters there are.
struct PasswordCounter: Sendable {
    /// The counts of all states for one number of characters to come.
    struct Layer: Sendable {
        /// Words a number.
        let words: Int
        var numbers: [UInt64]
    }

    let automaton: RequirementAutomaton
    let symmetry: CharacterSymmetry
    let runs: RunLimits
    let layout: CellLayout
    /// Layers by the number of characters to come; only the last where earlier ones are not kept.
    private(set) var layers: [Layer]
    private(set) var length = 0
    private let alphabet: Int
    private let keepsLayers: Bool
    private let orbits: [CountingStep.Orbit]
    /// For each signature, the states that one of its characters leads to; empty where no run is limited.
    private let reached: [[Int]]

    /// - Parameter longest: no password longer than this will be counted; runs it cannot hold are not followed.
    init(
        _ rules: PasswordRules, reading: PasswordRules.CountReading, longest: Int, keepsLayers: Bool = false
    ) throws(PasswordRulesRefusal) {
        let allowed = rules.allowed.characters
        automaton = try RequirementAutomaton(rules, reading: reading)
        runs = RunLimits(rules, reading: reading).effective(
            length: longest, longestChain: CharacterSymmetry.longestChain(allowed))
        symmetry = CharacterSymmetry(
            allowed: allowed, automaton: automaton, limitsSequences: runs.sequential < .max)
        layout = CellLayout(runs, orbits: symmetry.orbits.count)
        alphabet = allowed.count
        // Checked before anything of that size is allocated: a layer is made from the one before.
        let layerWords = automaton.stateCount * layout.cellsPerState * Words.count(length: longest, alphabet: alphabet)
        guard 2 * layerWords <= PasswordRulesLimits.tableWords else { throw .tooComplex(.tableWords) }
        self.keepsLayers = keepsLayers
        orbits = symmetry.orbits.map { [symmetry, runs] in PasswordCounter.orbit($0, symmetry, runs) }
        reached = runs.limitsSomething ? automaton.reachedStates : []
        let perState = layout.cellsPerState
        var numbers = [UInt64](repeating: 0, count: automaton.stateCount * perState)
        for cell in automaton.accepting * perState..<(automaton.accepting + 1) * perState { numbers[cell] = 1 }
        layers = [Layer(words: 1, numbers: numbers)]
    }

    private static func orbit(
        _ orbit: CharacterSymmetry.Orbit, _ symmetry: CharacterSymmetry, _ runs: RunLimits
    ) -> CountingStep.Orbit {
        func neighbour(_ first: UInt8, _ second: UInt8, _ character: UInt8) -> CountingStep.Neighbour? {
            let position = symmetry.positions[Int(character & 0x7F)]
            guard runs.sequential < .max, position.orbit >= 0, RunLimits.follows(first, second) else { return nil }
            return CountingStep.Neighbour(
                orbit: position.orbit, signature: symmetry.orbits[position.orbit].signature,
                isReversed: position.isReversed)
        }
        let own = orbit.representative
        return CountingStep.Orbit(
            signature: orbit.signature, size: UInt64(orbit.size), up: neighbour(own, own + 1, own + 1),
            down: neighbour(own - 1, own, own - 1))
    }

    /// The number of passwords of `length`.
    var count: PasswordCount {
        let layer = layers[layers.count - 1]
        return PasswordCount(words: layer.numbers[0..<layer.words])
    }

    /// The limit of the additions of words that counting up to a length needs.
    func steps(upTo length: Int) -> Int {
        var cells = automaton.stateCount * orbits.count
        if runs.limitsSomething {
            let followed = orbits.reduce(0) { $0 + reached[$1.signature].count }
            cells += followed * (7 + 3 * (layout.positionCount - 1))
        }
        // Words grow evenly with the length; a cell has some work of its own.
        return cells * length * (3 + Words.count(length: length, alphabet: alphabet)) / 2
    }

    /// Words of all layers up to a length.
    func tableWords(upTo length: Int) -> Int {
        automaton.stateCount * layout.cellsPerState
            * (0...length).reduce(0) { $0 + Words.count(length: $1, alphabet: alphabet) }
    }

    /// Continues with the next length.
    mutating func advance() {
        length += 1
        let words = Words.count(length: length, alphabet: alphabet)
        let previous = layers[layers.count - 1]
        let count = automaton.stateCount * layout.cellsPerState * words
        var next = Layer(words: words, numbers: [UInt64](repeating: 0, count: count))
        previous.numbers.withUnsafeBufferPointer { source in
            next.numbers.withUnsafeMutableBufferPointer { target in
                automaton.transitions.withUnsafeBufferPointer { transitions in
                    orbits.withUnsafeBufferPointer { orbits in
                        guard let source = source.baseAddress, let target = target.baseAddress,
                            let transitions = transitions.baseAddress
                        else { return }
                        fill(
                            CountingStep(
                                layout: layout, orbits: orbits, transitions: transitions,
                                signatureCount: automaton.signatureCount, source: source,
                                sourceWords: previous.words, target: target, targetWords: words))
                    }
                }
            }
        }
        if keepsLayers { layers.append(next) } else { layers[0] = next }
    }

    /// States that need more than the characters to come stay at 0.
    private func fill(_ step: CountingStep) {
        for state in 0..<automaton.stateCount where Int(automaton.needs[state]) <= length {
            step.addTotal(of: state)
        }
        guard runs.limitsSomething else { return }
        for (index, orbit) in orbits.enumerated() {
            for state in reached[orbit.signature] where Int(automaton.needs[state]) <= length {
                step.addPositions(of: index, in: state)
            }
        }
    }
}

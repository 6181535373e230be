// SPDX-License-Identifier: Apache-2.0

/// Characters that no rule distinguishes, so that one count is valid for all of them.
///
/// Where sequences are limited, a character's position matters: characters are grouped by their chain (the longest
/// stretch of allowed characters in a row within a–z, A–Z or 0–9), and chains with the same signatures in the same
/// order, forwards or backwards, are equivalent. Otherwise only the signature matters.
struct CharacterSymmetry: Sendable {
    struct Orbit: Sendable {
        let signature: Int
        var size: Int
        /// The first character of the orbit; the counts are held for it.
        let representative: UInt8
    }

    /// A character's orbit, and whether its chain runs against that of the orbit's representative.
    struct Position: Sendable {
        var orbit = -1
        var isReversed = false
    }

    private(set) var orbits: [Orbit] = []
    private(set) var positions = [Position](repeating: Position(), count: 128)

    init(allowed: PrintableSet, automaton: RequirementAutomaton, limitsSequences: Bool) {
        var cached: [[Int]: Int] = [:]
        var runsBackwards: [Bool] = []
        for chain in CharacterSymmetry.chains(allowed, limitsSequences) {
            let forwards = chain.map(automaton.signature)
            let backwards = Array(forwards.reversed())
            let isReversed = backwards.lexicographicallyPrecedes(forwards)
            let key = isReversed ? backwards : forwards
            for (index, character) in chain.enumerated() {
                var position = isReversed ? chain.count - 1 - index : index
                var isMirrored = isReversed
                // The mirror image of a palindrome is itself.
                if forwards == backwards, 2 * position > chain.count - 1 {
                    position = chain.count - 1 - position
                    isMirrored.toggle()
                }
                let orbit = cached[key + [-1, position]] ?? orbits.count
                if orbit == orbits.count {
                    cached[key + [-1, position]] = orbit
                    orbits.append(Orbit(signature: forwards[index], size: 0, representative: character))
                    runsBackwards.append(isMirrored)
                }
                orbits[orbit].size += 1
                positions[Int(character)] = Position(orbit: orbit, isReversed: isMirrored != runsBackwards[orbit])
            }
        }
    }

    /// The most allowed characters in a row within a–z, A–Z or 0–9.
    static func longestChain(_ allowed: PrintableSet) -> Int { chains(allowed, true).map(\.count).max() ?? 0 }

    private static func chains(_ allowed: PrintableSet, _ limitsSequences: Bool) -> [[UInt8]] {
        var chains: [[UInt8]] = []
        for character in allowed.characters {
            if limitsSequences, let last = chains.last?.last, last + 1 == character,
                RunLimits.follows(last, character)
            {
                chains[chains.count - 1].append(character)
            } else {
                chains.append([character])
            }
        }
        return chains
    }
}

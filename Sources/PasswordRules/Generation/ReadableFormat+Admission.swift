// SPDX-License-Identifier: Apache-2.0

extension ReadableFormat {
    /// The format that the rules admit: with dashes where they are allowed, else without.
    static func admitted(
        by rules: PasswordRules, lengths: ClosedRange<Int>
    ) -> Result<ReadableFormat, PasswordGenerator.ReadableObstacle> {
        let allowed = rules.allowed.characters
        guard letters(0).union(capitals).union(.digit).isSubset(of: allowed) else { return .failure(.characters) }
        var obstacle = PasswordGenerator.ReadableObstacle.length
        for hasDashes in [true, false] where !hasDashes || allowed.contains(UInt8(ascii: "-")) {
            let length = hasDashes ? 20 : 18
            guard lengths.contains(length) else { continue }
            guard guarantees(RequiredSets(rules), hasDashes: hasDashes, length: length) else {
                obstacle = .required
                continue
            }
            let runs = RunLimits(rules, reading: .strict)
            return .success(
                ReadableFormat(hasDashes: hasDashes, runs: runs.effective(length: length, longestChain: 26)))
        }
        return .failure(obstacle)
    }

    private static func letters(_ offset: UInt8) -> PrintableSet {
        PrintableSet(consonants.map { $0 - offset }).union(PrintableSet(vowels.map { $0 - offset }))
    }

    private static var capitals: PrintableSet { letters(0x20).subtracting(PrintableSet("O".utf8)) }

    /// Whether every password of the format meets the required rules, by Hall's theorem: however some of the sets are
    /// chosen, enough characters must be in their union. Groups without a common character can be checked one by one.
    private static func guarantees(_ required: RequiredSets, hasDashes: Bool, length: Int) -> Bool {
        guard required.total <= length else { return false }
        return required.overlappingGroups.allSatisfy { sets in
            guard sets.count <= PasswordRulesLimits.overlappingSets else { return false }
            let multiplicities = required.multiplicities(of: sets)
            return (1..<1 << sets.count).allSatisfy { chosen in
                let members = sets.indices.filter { chosen >> $0 & 1 == 1 }
                let union = members.reduce(into: PrintableSet()) { $0.formUnion(sets[$1]) }
                return leastHits(union, hasDashes) >= members.reduce(0) { $0 + multiplicities[$1] }
            }
        }
    }

    /// How many characters of a set any password of the format has, at the least.
    private static func leastHits(_ set: PrintableSet, _ hasDashes: Bool) -> Int {
        func every(_ characters: [UInt8], _ offset: UInt8) -> Int {
            characters.allSatisfy { $0 - offset == UInt8(ascii: "O") || set.contains($0 - offset) } ? 1 : 0
        }
        let (consonant, vowel) = (every(consonants, 0), every(vowels, 0))
        // The capital is put at the position that costs the most.
        let capital = min(every(consonants, 0x20) - consonant, every(vowels, 0x20) - vowel)
        let digit = PrintableSet.digit.isSubset(of: set) ? 1 : 0
        let dashes = hasDashes && set.contains(UInt8(ascii: "-")) ? 2 : 0
        return 11 * consonant + 6 * vowel + capital + digit + dashes
    }
}

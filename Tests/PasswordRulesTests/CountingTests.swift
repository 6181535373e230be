// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("Counting is exact")
struct CountingTests {
    @Test("Every fixture's count and bits agree")
    func fixtures() throws {
        for each in try Fixture.entropyCases() where each.semantics != "apple-typeable-format" {
            let rules = try PasswordRules(descriptor: each.rules)
            let readings: [PasswordRules.CountReading] =
                each.semantics == "both" ? [.strict, .legacy] : [each.semantics == "strict" ? .strict : .legacy]
            for reading in readings {
                let count = try rules.count(length: each.length, reading: reading)
                #expect(count.description == each.count, "\(each.rules) \(reading)")
                #expect(abs((count.bits ?? 0) - (each.bits ?? 0)) < 1e-6, "\(each.rules) \(reading)")
            }
        }
    }

    @Test("Counts agree with brute force over small alphabets", arguments: PasswordRules.CountReading.allCases)
    func bruteForce(_ reading: PasswordRules.CountReading) throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let rules = try RandomRules.make(&generator)
            for length in 1...(rules.allowed.characters.count <= 3 ? 5 : rules.allowed.characters.count == 4 ? 4 : 3) {
                let expected = BruteForce.passwords(rules, length: length, reading: reading).count
                #expect(
                    try rules.count(length: length, reading: reading).description == String(expected),
                    "\(rules), length \(length)")
            }
        }
    }

    @Test("Eight overlapping required sets are counted: 13,436 states")
    func eightOverlappingSets() throws {
        let rules = try PasswordRules(
            descriptor: """
                required: [cdeips]; required: [dgmopu]; required: [amnptw]; required: [dhiosw]; required: [akruvw]; \
                required: [agmnqv]; required: [hloprx]; required: [ahjovx]
                """)
        // By a program of its own, from all families of demands that a matching can meet.
        #expect(try rules.count(length: 7) == .zero)
        #expect(try rules.count(length: 8).description == "13795906460")
        #expect(try rules.count(length: 12).description == "10299936633542820")
    }

    @Test("The count of a length outside the rules' is 0, and over 256 it is refused")
    func outside() throws {
        let rules = try PasswordRules(descriptor: "minlength: 8; maxlength: 10")
        #expect(try [7, 8, 10, 11].map { try rules.count(length: $0).isZero } == [true, false, false, true])
        #expect(throws: PasswordRulesRefusal.tooComplex(.length(257))) { try rules.count(length: 257) }
        #expect(PasswordCount.zero.description == "0" && PasswordCount.zero.bits == nil)
    }

    @Test("The counts of all lengths are those of each length, without the lengths of which there is no password")
    func allLengths() throws {
        var generator = SeededGenerator(seed: 5)
        let written = [
            "", "required: digit; required: digit; required: digit; required: digit",
            "allowed: [ab]; required: [a]; required: [ab]; required: [ab]", "minlength: 2; maxlength: 5",
            "minlength: 6; required: lower; required: digit", "allowed: [ac]; max-repeating: 1; maxlength: 9",
        ]
        let all =
            try written.map { try PasswordRules(descriptor: $0) }
            + (0..<30).map { _ in try RandomRules.make(&generator) }
        for rules in all {
            for longest in [0, 3, 12] {
                let counts = try rules.counts(upTo: longest)
                let expected = try (0...longest).map { ($0, try rules.count(length: $0)) }.filter { !$0.1.isZero }
                #expect(counts.map { $0.length } == expected.map { $0.0 }, "\(rules)")
                #expect(counts.map { $0.count } == expected.map { $0.1 }, "\(rules)")
            }
        }
    }

    @Test("Counts are ordered as numbers")
    func order() throws {
        let rules = PasswordRules()
        let counts = try [1, 2, 9, 10, 19, 20, 40].map { try rules.count(length: $0) }
        for (less, more) in zip(counts, counts.dropFirst()) {
            #expect(less < more && !(more < less))
        }
        #expect(!(counts[3] < counts[3]))
    }
}

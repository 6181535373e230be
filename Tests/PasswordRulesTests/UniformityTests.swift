// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("Every valid password is equally likely")
struct UniformityTests {
    /// Rules whose passwords can all be listed, drawn by each sampler.
    static let enumerable = [
        // Random characters until they meet the rules.
        "allowed: [abcde]; minlength: 3; maxlength: 3",
        "required: [ab]; required: [bc]; allowed: [d!]; max-consecutive: 2; minlength: 4; maxlength: 4",
        "required: [a]; required: [a]; allowed: [xyz]; max-sequential: 2; minlength: 4; maxlength: 4",
        // By tables: so few of all passwords meet these.
        "required: [a]; required: [b]; required: [c]; required: [d]; allowed: [ABCDEFGHIJKLMNOP]; minlength: 4; maxlength: 4",
        "required: [a]; required: [ac]; required: [x]; required: [x]; allowed: [ABCDEFGHIJKLMNOP]; "
            + "max-repeating: 1; max-sequential: 1; minlength: 4; maxlength: 4",
        "required: [abc]; required: [abc]; required: [cba]; required: [1]; allowed: [ABCDEFGHIJKLMNOP]; "
            + "max-sequential: 2; minlength: 4; maxlength: 4",
    ]

    @Test("Draws of an enumerable space pass a chi-squared test", arguments: enumerable)
    func enumerableSpaces(_ descriptor: String) throws {
        let rules = try PasswordRules(descriptor: descriptor)
        let length = try #require(rules.maxLength)
        let passwords = BruteForce.passwords(rules, length: length, reading: .strict)
        let generator = try PasswordGenerator(rules: rules, options: .init(style: .random))
        #expect(generator.count.description == String(passwords.count))
        var random = SeededGenerator(seed: 1)
        let deviation = try #require(
            chiSquared(over: passwords) { Array(generator.draw(using: &random).utf8) }, "a draw is not among them")
        #expect(abs(deviation) < 4, "\(deviation) standard deviations")
    }

    @Test("The same test fails on draws that put the required characters first and fill up")
    func biasedByFilling() throws {
        let rules = try PasswordRules(descriptor: Self.enumerable[1])
        let passwords = BruteForce.passwords(rules, length: 4, reading: .strict)
        var random = SeededGenerator(seed: 1)
        func pick(_ characters: String) -> UInt8 { characters.utf8.randomElement(using: &random) ?? 0 }
        let deviation = try #require(
            chiSquared(over: passwords) {
                while true {
                    let password = [pick("ab"), pick("bc"), pick("abcd!"), pick("abcd!")].shuffled(using: &random)
                    if BruteForce.isValid(password, rules, .strict) { return password }
                }
            })
        #expect(deviation > 10)
    }

    @Test("The same test fails on draws with modulo bias")
    func biasedByModulo() throws {
        let rules = try PasswordRules(descriptor: Self.enumerable[0])
        let passwords = BruteForce.passwords(rules, length: 3, reading: .strict)
        var random = SeededGenerator(seed: 1)
        let deviation = try #require(
            chiSquared(over: passwords) {
                (0..<3).map { _ in Array("abcde".utf8)[Int(random.next() & 15) % 5] }
            })
        #expect(deviation > 10)
    }

    @Test("Each character of the readable format is as frequent as it should be")
    func readable() throws {
        let generator = try PasswordGenerator(rules: PasswordRules())
        var random = SeededGenerator(seed: 1)
        var digitPositions: [Int: Int] = [:]
        var vowels: [UInt8: Int] = [:]
        var capitals: [UInt8: Int] = [:]
        let draws = 20_000
        for _ in 0..<draws {
            let password = Array(generator.draw(using: &random).utf8)
            for (position, character) in password.enumerated() {
                if PrintableSet.digit.contains(character) { digitPositions[position, default: 0] += 1 }
                if PrintableSet.upper.contains(character) { capitals[character, default: 0] += 1 }
                if "aeiouy".utf8.contains(character) { vowels[character, default: 0] += 1 }
            }
        }
        #expect(digitPositions.keys.sorted() == [5, 7, 12, 14, 19])
        for count in digitPositions.values { #expect(abs(count - draws / 5) < 250) }
        // Of 96 equal fractions a capital consonant has 66, a vowel but O 30.
        #expect(capitals.keys.sorted() == Array("ABCDEFGHIJKMNPQRSTUVWXYZ".utf8))
        for (character, count) in capitals {
            let expected = "AEIUY".utf8.contains(character) ? draws * 6 / 96 : draws * 66 / 96 / 19
            #expect(abs(count - expected) < 150)
        }
        // A small o cannot be where the capital is, and no capital is an O: o is a little more frequent.
        #expect(Set(vowels.keys) == Set("aeiouy".utf8))
    }

    /// How many standard deviations the chi-squared statistic of draws is from its mean; nil if one is not valid.
    private func chiSquared(over passwords: [[UInt8]], draw: () -> [UInt8]) -> Double? {
        var counts = Dictionary(uniqueKeysWithValues: passwords.map { ($0, 0) })
        let expected = 60
        for _ in 0..<expected * passwords.count {
            let password = draw()
            guard counts[password] != nil else { return nil }
            counts[password, default: 0] += 1
        }
        let statistic = counts.values.reduce(0.0) { sum, count in
            sum + Double((count - expected) * (count - expected)) / Double(expected)
        }
        let freedom = Double(passwords.count - 1)
        return (statistic - freedom) / (2 * freedom).squareRoot()
    }
}

// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("Printing and parsing again is the identity")
struct RoundTripTests {
    private static let pieces = [
        "required", "allowed", "max-consecutive", "max-repeating", "max-sequential", "minlength", "maxlength", ":",
        ": ",
        ";", "; ", ",", ", ", " ", "\t", "\r\n", "upper", "lower", "digit", "DIGIT", "digits", "special",
        "ascii-printable",
        "unicode", "[", "]", "[-", "]]", "a", "Z", "-", "é", "\u{301}", "0", "8", "12", "9999999999999999999", "☃", "~",
        "\\",
    ]

    @Test("For random texts of the language's pieces", arguments: 0..<4)
    func randomTexts(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2500 {
            let text = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
            }.joined()
            try expectIdentity(text)
        }
    }

    @Test("For random lists of rules")
    func randomRules() throws {
        var generator = SeededGenerator(seed: 7)
        let named: [PasswordRule.CharacterClass] = [.upper, .lower, .digit, .special, .asciiPrintable, .unicode, []]
        for _ in 0..<1000 {
            let rules = try (0..<Int.random(in: 0...6, using: &generator)).map { _ -> PasswordRule in
                let characters = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    Character(UnicodeScalar(UInt8.random(in: 0x20...0x7E, using: &generator)))
                }
                let custom = try PasswordRule.CharacterClass.custom(characters)
                let name = named[Int.random(in: 0..<named.count, using: &generator)]
                let number = UInt.random(in: 0...300, using: &generator)
                return [
                    .required([name, custom]), .allowed([name, custom]), .required(custom), .maxConsecutive(number),
                    .maxRepeating(number), .maxSequential(number), .minLength(number), .maxLength(number),
                ][Int.random(in: 0..<8, using: &generator)]
            }
            let whole = try PasswordRules(rules: rules)
            #expect(try PasswordRules(descriptor: whole.description) == whole, "\(whole)")
        }
    }

    @Test("For long texts without spaces, which grow in print")
    func denseTexts() throws {
        for count in [140, 155, 200, 255, 256, 290, 291, 292] {
            let text = String(repeating: "required:[a];", count: count) + "allowed:[b];required:unicode;required:["
            guard text.utf8.count <= 4096 else { continue }
            try expectIdentity(text)
        }
    }

    private func expectIdentity(_ text: String) throws {
        for reading in [PasswordRules.Reading.lenient, .apple] {
            let rules = try PasswordRules.parse(text, as: reading).rules
            let again = try PasswordRules.parse(rules.description, as: .apple)
            #expect(again.rules == rules && !again.hasErrors, "\(text.debugDescription) → \(rules)")
        }
    }
}

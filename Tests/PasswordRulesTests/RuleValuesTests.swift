// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("The Swift API of the articles")
struct RuleValuesTests {
    @Test("A list of rules is the same as their descriptor")
    func listAndDescriptor() throws {
        let list = try PasswordRules(rules: [
            .required(.upper), .required(.digit), .allowed(.asciiPrintable), .maxConsecutive(2), .minLength(8),
            .maxLength(64),
        ])
        let descriptor =
            "required: upper; required: digit; allowed: ascii-printable; max-consecutive: 2; "
            + "minlength: 8; maxlength: 64;"
        #expect(try PasswordRules(descriptor: descriptor) == list)
        #expect(list.description == descriptor)
    }

    @Test("The articles' digits prints as digit")
    func digits() throws {
        #expect(PasswordRule.required(.digits).description == "required: digit")
        #expect(try PasswordRules(rules: [.required(.digits)]).description == "required: digit;")
    }

    @Test("Several classes in one rule are alternatives")
    func alternatives() throws {
        let rules = try PasswordRules(rules: [.required([.digit, .special]), .allowed(.lower)])
        #expect(rules.description == "required: digit, special; allowed: lower, digit, special;")
    }

    @Test("A custom class prints hyphen first and bracket last")
    func customClass() throws {
        let rule = PasswordRule.required(try .custom("a]-b"))
        #expect(rule.description == "required: [-ab]]")
        let set: Set<Character> = ["-", "_"]
        #expect(PasswordRule.allowed(try .custom(set)).description == "allowed: [-_]")
    }

    @Test(
        "A custom character outside printable ASCII throws", arguments: ["é", "a\n", "\u{7F}", "🙂", "a\u{301}", "\r\n"])
    func customCharacter(_ characters: String) {
        #expect(throws: PasswordRulesRefusal.self) { try PasswordRule.CharacterClass.custom(characters) }
    }

    @Test("A number of 0 has no effect, and the strictest of several counts")
    func numbers() throws {
        let rules = try PasswordRules(rules: [
            .minLength(8), .minLength(12), .minLength(0), .maxLength(20), .maxLength(16), .maxRepeating(3),
            .maxRepeating(2), .maxSequential(0),
        ])
        #expect(rules.description == "max-repeating: 2; minlength: 12; maxlength: 16;")
    }

    @Test("Without rules any printable ASCII is allowed")
    func empty() throws {
        #expect(PasswordRules().allowed == .asciiPrintable)
        #expect(PasswordRules().description.isEmpty)
        #expect(try PasswordRules(descriptor: " \t\r\n\u{C}") == PasswordRules())
    }

    @Test("Rules whose descriptor would be too long are refused")
    func tooLong() throws {
        let rule = PasswordRule.required(.upper)
        #expect(throws: PasswordRulesRefusal.descriptorTooLong(limit: 4096)) {
            try PasswordRules(rules: Array(repeating: rule, count: 400))
        }
        let many = try PasswordRules(rules: Array(repeating: rule, count: 250))
        #expect(try PasswordRules(descriptor: many.description) == many)
    }

    @Test(
        "The first of unicode and ascii-printable wins, in print too",
        arguments: [
            "allowed: unicode; required: ascii-printable", "allowed: ascii-printable; required: unicode",
            "required: unicode; required: ascii-printable", "required: ascii-printable; allowed: unicode",
            "allowed: upper, lower, digit, special; required: unicode", "required: upper; allowed: unicode",
        ])
    func wideClasses(_ descriptor: String) throws {
        let rules = try PasswordRules(descriptor: descriptor)
        #expect(try PasswordRules(descriptor: rules.description) == rules)
    }
}

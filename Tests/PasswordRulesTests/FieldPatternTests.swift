// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("A field's pattern")
struct FieldPatternTests {
    /// Patterns as sites write them, and the resulting rules, or none.
    private static let patterns: [(pattern: String, rules: String)] = [
        ("[A-Za-z0-9]{8,16}", "allowed: upper, lower, digit; minlength: 8; maxlength: 16;"),
        (
            #"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}"#,
            "required: digit; required: lower; required: upper; allowed: ascii-printable; minlength: 8;"
        ),
        (
            #"^(?!.*\s)(?=.*?[^\w]).{10,}$"#,
            "required: [-!\"#$%&'()*+,./:;<=>?@[\\^`{|}~]]; allowed: …; minlength: 10;"
        ),
        (#"\d{4,6}"#, "allowed: digit; minlength: 4; maxlength: 6;"),
        (#"^\S+$"#, "allowed: …; minlength: 1;"),
        ("(?=.{12,})[a-z]*", "allowed: lower; minlength: 12;"),
        (#"[\w.\-]{6}"#, "allowed: upper, lower, digit, [-._]; minlength: 6; maxlength: 6;"),
        ("[!-/]{8,}", "allowed: [-!\"#$%&'()*+,./]; minlength: 8;"),
        ("[a-zà-ÿ]{8,}", "allowed: lower; minlength: 8;"),
        ("[^a-z-]{8,}", "allowed: …; minlength: 8;"),
        (".*", ""),
    ]

    @Test("The conditions of a pattern that rules can express become rules", arguments: FieldPatternTests.patterns)
    func understood(pattern: String, rules: String) throws {
        let narrowed = try PasswordRules().narrowed(to: try #require(FieldPattern(pattern)))
        if rules.contains("…") {
            let ends = rules.split(separator: "…").map(String.init)
            #expect(narrowed.description.hasPrefix(ends[0]) && narrowed.description.hasSuffix(ends[1]))
        } else {
            #expect(narrowed.description == rules)
        }
    }

    @Test(
        "Every other one is not understood",
        arguments: [
            "", "abc", "[a-z]", "[a-z]{8", "[a-z]{16,8}", "[z-a]{8}", "[a-z][0-9]{7}", "[a-z]{8}|[0-9]{8}",
            "([a-z]){8}",
            #"\p{L}{8}"#, #"[\x41]{8}"#, "[a[bc]]{8}", "[a-z&&[^e]]{8}", "[a--]{8}", "(?=.*[a-z])", "(?<=a).{8}",
            #"(?=.*\d.*\d).{8}"#, "(?=[a-z]).{8}", ".{8}$$", ".{9999999999}", ".{8}?", "[a-z", #"\"#, "(?=.{8}).*",
        ])
    func passedOver(pattern: String) { #expect(FieldPattern(pattern) == nil) }

    @Test(
        "Whatever is drawn under the rules and the pattern matches both",
        arguments: [
            ("required: upper; required: digit; minlength: 10;", "[A-Za-z0-9]{8,16}"),
            ("required: special; allowed: lower, digit;", #"(?=.*\d)[a-z0-9._!]{12,20}"#),
            ("", #"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*\W).{8,}"#),
            ("allowed: unicode;", #"^(?!.*[\s<>&'"])(?=.*[!-/]).{9,}$"#),
            ("max-consecutive: 2;", #"\d{6}"#),
        ])
    func narrowing(descriptor: String, text: String) throws {
        let rules = try PasswordRules(descriptor: descriptor)
        let narrowed = try rules.narrowed(to: try #require(FieldPattern(text)))
        let regex = try Regex(text)
        var random = SeededGenerator(seed: 7)
        for style in PasswordGenerator.Style.allCases {
            let generator = try PasswordGenerator(rules: narrowed, options: .init(style: style))
            for _ in 0..<200 {
                let password = generator.draw(using: &random)
                #expect(password.wholeMatch(of: regex) != nil, "\(password)")
                #expect(rules.violations(in: password).isEmpty, "\(password)")
            }
        }
    }

    @Test("A required character that the rules ask for already is not asked for twice")
    func onlyOnce() throws {
        let rules = try PasswordRules(descriptor: "required: upper; maxlength: 4;")
        let narrowed = try rules.narrowed(to: try #require(FieldPattern("(?=.*[A-Z])(?=.*[A-Za-z])[A-Za-z]{1,}")))
        #expect(narrowed.required == [.upper])
    }

    @Test(
        "Where nothing is left, the rule and the pattern are named",
        arguments: [
            ("required: special;", "[a-z]{8}", "required: special"), ("allowed: digit;", "[a-z]{8}", "allowed: digit"),
            ("allowed: lower;", #"(?=.*\d)\w{8}"#, "allowed: lower"), ("minlength: 20;", ".{8,16}", "minlength: 20"),
            ("maxlength: 6;", ".{8,16}", "maxlength: 6"), ("", "[ä]{8}", "allowed: ascii-printable"),
        ])
    func conflict(descriptor: String, text: String, named: String) throws {
        let rules = try PasswordRules(descriptor: descriptor)
        let pattern = try #require(FieldPattern(text))
        #expect(throws: PasswordRulesRefusal.conflict(rules: [named, "the field's pattern"])) {
            try rules.narrowed(to: pattern)
        }
    }
}

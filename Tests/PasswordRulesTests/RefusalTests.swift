// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("Infeasible and absurd rules are refused at once")
struct RefusalTests {
    @Test(
        "The rules in conflict are named",
        arguments: [
            ("minlength: 20; maxlength: 8", ["minlength: 20", "maxlength: 8"]),
            ("required: upper; required: lower; maxlength: 1", ["required: upper", "required: lower", "maxlength: 1"]),
            ("required: digit; required: digit; maxlength: 1", ["required: digit (2 times)", "maxlength: 1"]),
            (
                "allowed: [ab]; max-consecutive: 1; minlength: 16",
                ["allowed: [ab]", "max-consecutive: 1", "minlength: 16"]
            ),
            (
                "required: [a]; required: [a]; max-repeating: 1; maxlength: 2",
                ["required: [a] (2 times)", "max-repeating: 1", "maxlength: 2"]
            ),
        ])
    func conflicts(_ descriptor: String, _ rules: [String]) throws {
        let parsed = try PasswordRules(descriptor: descriptor)
        for style in PasswordGenerator.Style.allCases {
            #expect(throws: PasswordRulesRefusal.conflict(rules: rules)) {
                try PasswordGenerator(rules: parsed, options: .init(style: style))
            }
        }
    }

    @Test(
        "The limit that is passed is named",
        arguments: [
            ("minlength: 9007199254740991", PasswordRulesRefusal.Complexity.length(9_007_199_254_740_991)),
            ("minlength: 257", .length(257)),
            ((0..<9).map { "required: [\(Array("abcdefghij")[$0])z]" }.joined(separator: ";"), .overlappingSets(9)),
            ((0..<15).map { "required: [\(Array("abcdefghijklmno")[$0])]" }.joined(separator: ";"), .states),
            (
                (["[ab]", "[bc]", "[cd]", "[de]", "[ea]"] + ["[ab]", "[bc]", "[cd]", "[de]", "[ea]"]).flatMap {
                    Array(repeating: "required: \($0)", count: 12)
                }.joined(separator: ";"), .demands
            ),
            (
                (0..<14).map { "required: [\(Array("abcdefghijklmn")[$0])]" }.joined(separator: ";")
                    + "; max-repeating: 239; max-sequential: 25; minlength: 240", .tableWords
            ),
        ])
    func limits(_ descriptor: String, _ complexity: PasswordRulesRefusal.Complexity) throws {
        let rules = try PasswordRules(descriptor: descriptor)
        #expect(throws: PasswordRulesRefusal.tooComplex(complexity)) {
            try PasswordGenerator(rules: rules, options: .init(style: .random))
        }
    }

    @Test("A refusal has a code, a message and a fix")
    func texts() {
        let refusals: [PasswordRulesRefusal] = [
            .descriptorTooLong(limit: 4096), .characterNotPrintable("é"), .conflict(rules: ["minlength: 9"]),
            .tooComplex(.length(300)), .tooComplex(.overlappingSets(9)), .tooComplex(.states),
            .tooComplex(.demands), .tooComplex(.matchingSteps), .tooComplex(.countingSteps), .tooComplex(.tableWords),
        ]
        for refusal in refusals {
            #expect(!refusal.code.isEmpty && !refusal.message.isEmpty && refusal.fix.hasSuffix("."))
            #expect(!refusal.message.hasSuffix("."))
        }
        #expect(refusals[1].message.hasPrefix("U+00E9"))
    }

    @Test("The field's own limits tighten the rules'")
    func fieldLimits() throws {
        let rules = try PasswordRules(descriptor: "minlength: 8; maxlength: 40")
        let generator = try PasswordGenerator(
            rules: rules, options: .init(style: .random, fieldMinLength: 30, fieldMaxLength: 32))
        #expect(generator.length == 30)
        #expect(throws: PasswordRulesRefusal.conflict(rules: ["minlength: 8", "the field's maxlength: 6"])) {
            try PasswordGenerator(rules: rules, options: .init(fieldMaxLength: 6))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("Text that is not read as written is reported, with position and fix")
struct DiagnosticsTests {
    /// A descriptor with one finding: its position, the text concerned, the effect, and a word of the fix.
    struct Case: Sendable, CustomTestStringConvertible {
        let descriptor: String
        let finding: PasswordRulesDiagnostic.Finding
        let offset: Int
        let text: String
        let action: PasswordRulesDiagnostic.Action
        let fix: String
        let rules: String

        init(
            _ descriptor: String, _ finding: PasswordRulesDiagnostic.Finding, at offset: Int, _ text: String,
            _ action: PasswordRulesDiagnostic.Action, fix: String, leaving rules: String = ""
        ) {
            self.descriptor = descriptor
            self.finding = finding
            self.offset = offset
            self.text = text
            self.action = action
            self.fix = fix
            self.rules = rules
        }

        var testDescription: String { descriptor }
    }

    @Test(
        "Each finding names its text, its offset, what was done and the fix",
        arguments: [
            Case("minLength: 8", .unknownRule, at: 0, "minLength", .everythingDropped, fix: "\"minlength\""),
            Case("min-length: 8", .unknownRule, at: 0, "min-length", .everythingDropped, fix: "\"minlength\""),
            Case("minlength: 8; foo: 1", .unknownRule, at: 14, "foo", .everythingDropped, fix: "required"),
            Case(
                "minlength: 8; required; maxlength: 9", .missingColon, at: 14, "required", .ruleDropped,
                fix: "\"required: \"", leaving: "minlength: 8; maxlength: 9;"),
            Case("required : upper", .missingColon, at: 0, "required", .everythingDropped, fix: "\"required: \""),
            Case(
                "required: upper;; minlength: 8", .unexpectedText, at: 16, "; minlength: 8", .restDropped,
                fix: "Remove",
                leaving: "required: upper;"),
            Case("required: uppercase", .unknownClass, at: 10, "uppercase", .everythingDropped, fix: "\"upper\""),
            Case("allowed: symbols", .unknownClass, at: 9, "symbols", .everythingDropped, fix: "\"special\""),
            Case(
                "é; required: upper", .unexpectedText, at: 0, "é; required: upper", .restDropped, fix: "name"),
            Case(
                "required: digits; minlength: 8", .digits, at: 10, "digits", .readAsMeant, fix: "\"digit\"",
                leaving: "required: digit; minlength: 8;"),
            Case(
                "allowed: upper,; minlength: 8", .missingClass, at: 15, "", .ruleDropped, fix: "comma",
                leaving: "minlength: 8;"),
            Case("allowed: ,upper", .missingClass, at: 9, "", .everythingDropped, fix: "class"),
            Case(
                "required: upper required: lower", .missingSeparator, at: 16, "required: lower", .everythingDropped,
                fix: "\";\" before \"required\""),
            Case(
                "required: upper lower", .missingSeparator, at: 16, "lower", .everythingDropped,
                fix: "\",\" before \"lower\""),
            Case("required: []a]", .missingSeparator, at: 12, "a]", .everythingDropped, fix: "\"]]\""),
            Case(
                "allowed: [abc; minlength: 8", .unclosedClass, at: 9, "[abc; minlength: 8", .itemDropped, fix: "\"]\""),
            Case(
                "allowed: [a-z]", .hyphenNotFirst, at: 10, "a-z", .itemDropped, fix: "\"lower\"",
                leaving: "allowed: [az];"),
            Case(
                "allowed: [☃é-]", .hyphenNotFirst, at: 12, "-", .itemDropped, fix: "first"),
            Case("minlength: x", .notAnInteger, at: 11, "x", .everythingDropped, fix: "whole number"),
            Case(
                "minlength: 8 ; maxlength: 9", .textAfterInteger, at: 11, "8 ", .ruleDropped, fix: "\"8;\"",
                leaving: "maxlength: 9;"),
            Case("minlength: 8px", .textAfterInteger, at: 11, "8px", .everythingDropped, fix: "\"8;\""),
        ])
    func finding(_ each: Case) throws {
        let parsed = try PasswordRules.parse(each.descriptor)
        let diagnostic = try #require(parsed.diagnostics.first { $0.finding == each.finding })
        #expect(diagnostic.offset == each.offset)
        #expect(diagnostic.text == each.text)
        #expect(diagnostic.action == each.action)
        #expect(diagnostic.fix.contains(each.fix), "\(diagnostic.fix)")
        #expect(!diagnostic.message.isEmpty)
        #expect(parsed.rules.description == each.rules)
        #expect(parsed.hasErrors == (each.finding != .digits))
    }

    @Test(
        "What Apple's parser drops silently is a note, not an error",
        arguments: [
            ("required: []; minlength: 8", PasswordRulesDiagnostic.Finding.emptyClass),
            ("required: [aé]", .characterNotPrintable), ("minlength: 0", .zero),
            ("required: ; minlength: 8", .emptyValue),
            ("maxlength: 99999999999999999999", .integerTooLarge),
        ])
    func notes(_ descriptor: String, _ finding: PasswordRulesDiagnostic.Finding) throws {
        let parsed = try PasswordRules.parse(descriptor, as: .apple)
        #expect(parsed.diagnostics.map(\.finding) == [finding])
        #expect(!parsed.hasErrors && !parsed.diagnostics.contains(where: \.isError))
    }

    @Test("A clean descriptor has no diagnostics")
    func clean() throws {
        let parsed = try PasswordRules.parse("required: upper; allowed: [-_]; max-repeating: 2; minlength: 8;")
        #expect(parsed.diagnostics.isEmpty && !parsed.hasErrors)
    }

    @Test("Strict reading drops everything for digits, and reports it")
    func strictDigits() throws {
        let parsed = try PasswordRules.parse("minlength: 8; required: DIGITS", as: .apple)
        #expect(parsed.rules == PasswordRules())
        #expect(parsed.diagnostics.map(\.finding) == [.digits])
        #expect(parsed.diagnostics.map(\.action) == [.everythingDropped])
    }

    @Test("Diagnostics are limited; the last one states what stopped the parser")
    func limit() throws {
        let parsed = try PasswordRules.parse("allowed: [a" + String(repeating: "-", count: 2000) + "] x")
        #expect(parsed.diagnostics.count == 64)
        #expect(parsed.diagnostics.last?.finding == .missingSeparator)
        #expect(parsed.diagnostics.last?.action == .everythingDropped)
        #expect(parsed.rules == PasswordRules())
    }

    @Test("4,096 scalars are read and 4,097 are refused, however many bytes they have", arguments: ["a", "é", "🙂"])
    func longest(_ character: String) throws {
        let filler = String(repeating: character, count: 4096 - 27)
        let descriptor = "required: upper; allowed: [\(filler)"
        #expect(descriptor.unicodeScalars.count == 4096)
        #expect(try PasswordRules.parse(descriptor).rules.description == "required: upper;")
        #expect(throws: PasswordRulesRefusal.descriptorTooLong(limit: 4096)) {
            try PasswordRules(descriptor: descriptor + character)
        }
    }
}

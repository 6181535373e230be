// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("Parsing agrees with Apple's parser")
struct ParsingTests {
    @Test("Every fixture has Apple's canonical form and error flag")
    func fixtures() throws {
        let cases = try Fixture.parserCases()
        #expect(!cases.isEmpty)
        for each in cases {
            let parsed = try PasswordRules.parse(each.rules, as: .apple)
            #expect(
                parsed.rules.rules.map(Fixture.CanonicalRule.init) == each.canonicalNext ?? each.canonical,
                "\(each.id): \(each.rules)")
            #expect(parsed.hasErrors == each.errorNext ?? each.error, "\(each.id): \(each.rules)")
        }
    }

    @Test("Printing and parsing again is the identity for every fixture")
    func roundTrip() throws {
        for each in try Fixture.parserCases() {
            for reading in [PasswordRules.Reading.apple, .lenient] {
                guard reading == .apple || each.rules.unicodeScalars.count <= 4096 else { continue }
                let rules = try PasswordRules.parse(each.rules, as: reading).rules
                let again = try PasswordRules.parse(rules.description, as: .apple)
                #expect(again.rules == rules, "\(each.id): \(rules.description)")
                #expect(!again.hasErrors && again.diagnostics.allSatisfy { $0.finding == .emptyClass })
            }
        }
    }
}

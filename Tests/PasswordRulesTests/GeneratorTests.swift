// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("The generator never breaks a rule")
struct GeneratorTests {
    @Test("The default is Apple's format, with its exact count")
    func readableDefault() throws {
        let generator = try PasswordGenerator(rules: PasswordRules())
        #expect(generator.format == .readable)
        #expect(generator.length == 20)
        let fixture = try #require(try Fixture.entropyCases().first { $0.semantics == "apple-typeable-format" })
        #expect(generator.count.description == fixture.count)
        #expect(abs(generator.bits - (fixture.bits ?? 0)) < 1e-6)
        #expect(generator.notes.isEmpty)
    }

    @Test("Every real site is served by passwords that meet its rules")
    func realSites() throws {
        var random = SeededGenerator(seed: 434)
        for (site, descriptor) in try SiteRules.all().sorted(by: { $0.key < $1.key }) {
            let rules = try PasswordRules(descriptor: descriptor)
            for style in PasswordGenerator.Style.allCases {
                let generator = try PasswordGenerator(rules: rules, options: .init(style: style))
                for _ in 0..<20 {
                    let password = generator.draw(using: &random)
                    #expect(password.utf8.count == generator.length)
                    #expect(BruteForce.isValid(Array(password.utf8), rules, .strict), "\(site): \(descriptor)")
                    #expect(rules.violations(in: password).isEmpty, "\(site): \(descriptor)")
                }
            }
        }
    }

    @Test("Rules that few passwords meet are drawn from by tables, at every length", arguments: 2...6)
    func rare(_ sets: Int) throws {
        var random = SeededGenerator(seed: UInt64(sets))
        let required = "abcdef".prefix(sets).map { "required: [\($0)]; " }.joined()
        for length in sets...24 {
            let rules = try PasswordRules(
                descriptor: required + "allowed: ascii-printable; minlength: \(length); maxlength: \(length)")
            let generator = try PasswordGenerator(rules: rules, options: .init(style: .random))
            for _ in 0..<10 {
                let password = generator.draw(using: &random)
                #expect(BruteForce.isValid(Array(password.utf8), rules, .strict), "\(rules): \(password.utf8.count)")
            }
        }
    }
}

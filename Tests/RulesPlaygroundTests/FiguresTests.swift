// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import PasswordRules
@testable import RulesPlayground

@Suite("The playground's figures", .blocking, .timeLimit(.minutes(10)))
struct FiguresTests {
    private func bits(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

    /// What is computed a second time here, directly by the engine.
    private func compare(_ descriptor: String, _ report: [String: Any], withHistogram: Bool = true) throws {
        let parsed = try PasswordRules.parse(descriptor)
        #expect(report["canonical"] as? String == parsed.rules.description)
        #expect(report["error"] as? Bool == parsed.hasErrors)
        let diagnostics = try #require(report["diagnostics"] as? [[String: Any]])
        #expect(diagnostics.map { $0["offset"] as? Int } == parsed.diagnostics.map(\.offset))
        #expect(diagnostics.map { $0["message"] as? String } == parsed.diagnostics.map(\.message))
        let generator = try PasswordGenerator(rules: parsed.rules)
        let password = try #require(report["password"] as? [String: Any])
        #expect(password["count"] as? String == generator.count.description)
        #expect(password["length"] as? Int == generator.length)
        #expect(password["format"] as? String == generator.format.rawValue)
        #expect(abs((bits(password["bits"]) ?? 0) - generator.bits) < 1e-6)
        var entropy = SeededGenerator(seed: TestServer.seed)
        #expect(report["samples"] as? [String] == (0..<5).map { _ in generator.draw(using: &entropy) })
        if withHistogram { #expect(report["histogram"] as? [String: [Int]] == histogram(generator, &entropy)) }
        let classes = try #require(report["classes"] as? [[String: Any]])
        let allowed = classes.compactMap { $0["allowed"] as? String }.joined()
        #expect(allowed == String(decoding: parsed.rules.allowed.characters.canonicalCharacters, as: UTF8.self))
        try compareLengths(parsed.rules, report, generator.length)
        try compareApple(descriptor, report, generator.length)
    }

    private func histogram(_ generator: PasswordGenerator, _ entropy: inout SeededGenerator) -> [String: [Int]] {
        let drawn = (0..<1000).map { _ in Array(generator.draw(using: &entropy).utf8) }
        let kinds: [(String, Set<UInt8>)] = [
            ("upper", Set(65...90)), ("lower", Set(97...122)), ("digit", Set(48...57)),
            ("special", Set(32...126).subtracting(Set(65...90)).subtracting(Set(97...122)).subtracting(Set(48...57))),
        ]
        return Dictionary(
            uniqueKeysWithValues: kinds.map { name, characters in
                var histogram = Array(repeating: 0, count: generator.length + 1)
                for password in drawn { histogram[password.count { characters.contains($0) }] += 1 }
                return (name, histogram)
            })
    }

    /// Each length that is listed, and a sample of those, counted one by one.
    private func compareLengths(_ rules: PasswordRules, _ report: [String: Any], _ length: Int) throws {
        let lengths = try #require(report["lengths"] as? [[String: Any]])
        let listed = lengths.compactMap { $0["length"] as? Int }
        #expect(listed.contains(length) && listed == listed.sorted())
        for row in lengths where row["length"] as? Int == length || row["length"] as? Int == listed.first {
            let count = try rules.count(length: try #require(row["length"] as? Int))
            #expect(row["count"] as? String == count.description)
            #expect(abs((bits(row["bits"]) ?? 0) - (count.bits ?? 0)) < 1e-6)
        }
        if let first = listed.first, first > 1 { #expect(try rules.count(length: first - 1).isZero) }
    }

    private func compareApple(_ descriptor: String, _ report: [String: Any], _ length: Int) throws {
        let apple = try #require(report["apple"] as? [String: Any])
        let parsed = try PasswordRules.parse(descriptor, as: .apple)
        #expect(apple["canonical"] as? String == parsed.rules.description)
        #expect(apple["error"] as? Bool == parsed.hasErrors)
        #expect(try apple["same"] as? Bool == (parsed.rules == PasswordRules.parse(descriptor).rules))
        guard apple["refusal"] == nil else { return }
        #expect(try apple["count"] as? String == parsed.rules.count(length: length, reading: .legacy).description)
    }

    @Test("Over the rules of all public sites they equal the engine's, and the passwords of a tenth meet the rules")
    func sites() throws {
        let rules = try SiteRules.all()
        let server = try TestServer(rules)
        for (number, (domain, descriptor)) in rules.sorted(by: { $0.key < $1.key }).enumerated() {
            let report = try server.post("/rules", ["rules": descriptor])
            #expect(report.status == 200)
            try compare(descriptor, report.object, withHistogram: number.isMultiple(of: 10))
            let sharing = report.object["sharing"] as? [String: Any]
            #expect(sharing?["known"] as? Int == rules.count && (sharing?["count"] as? Int ?? 0) > 0, "\(domain)")
            guard number.isMultiple(of: 10) else { continue }
            let parsed = try PasswordRules(descriptor: descriptor)
            let drawn = try server.post("/passwords", ["rules": descriptor]).body.split(separator: "\n")
            #expect(drawn.count == 1000 && drawn.allSatisfy { parsed.violations(in: String($0)).isEmpty }, "\(domain)")
        }
    }

    @Test("A mistake is reported where it is, in Unicode scalars, as the engine reports it")
    func mistakes() throws {
        let server = try TestServer()
        for descriptor in [
            "", "requird: upper", "required: digits; minlength: 12", "minlength: \u{1F511}; allowed: [\u{E9}a-]",
            "allowed: [abc; maxlength: 9", "max-consecutive: 0; required: upper;;", "\u{FFFD}",
        ] { try compare(descriptor, try server.post("/rules", ["rules": descriptor]).object) }
    }

    @Test("Rules that no password meets, and those that are too long, are refused with their fix; the mistakes stay")
    func refused() throws {
        let server = try TestServer()
        let conflict = try server.post("/rules", ["rules": "minlength: 9; maxlength: 8; max-repeating: 0"]).object
        let refusal = try #require(conflict["refusal"] as? [String: String])
        #expect(refusal["code"] == "rules-conflict" && refusal["fix"] == "Loosen one of them.")
        #expect(conflict["password"] == nil && (conflict["diagnostics"] as? [Any])?.count == 1)
        let long = try server.post("/rules", ["rules": String(repeating: "a", count: 4097)]).object
        #expect((long["refusal"] as? [String: String])?["code"] == "rules-too-long")
        #expect(try server.post("/passwords", ["rules": "minlength: 9; maxlength: 8"]).status == 400)
        let most = try server.post("/rules", ["rules": String(repeating: "\u{1F511}", count: 4096)])
        #expect(most.status == 200 && most.object["canonical"] != nil)
    }

    @Test("A field of a web page narrows the rules, in all figures; style and length are respected")
    func field() throws {
        let server = try TestServer()
        let field: [String: Any] = ["minlength": 10, "maxlength": 12, "pattern": "[a-f0-9]*"]
        let body: [String: Any] = ["rules": "allowed: ascii-printable", "style": "random", "field": field]
        let report = try server.post("/rules", body).object
        let rules = try PasswordRules(descriptor: "allowed: digit, [abcdef]; minlength: 10; maxlength: 12")
        #expect((report["lengths"] as? [[String: Any]])?.map { $0["length"] as? Int } == [10, 11, 12])
        let password = try #require(report["password"] as? [String: Any])
        #expect(try password["count"] as? String == rules.count(length: 12).description)
        let drawn = try server.post("/passwords", body).body.split(separator: "\n")
        #expect(drawn.count == 1000 && drawn.allSatisfy { rules.violations(in: String($0)).isEmpty })
        let fixed = try server.post("/rules", body.merging(["length": 11]) { $1 }).object
        #expect((fixed["password"] as? [String: Any])?["length"] as? Int == 11)
        let checked = try server.post("/check", body.merging(["password": "abcg"]) { $1 }).object
        let codes = (checked["violations"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes == ["not-allowed", "too-short"])
        let foreign = try server.post("/rules", ["field": ["pattern": "(a|b)+"]]).object
        #expect((foreign["advice"] as? [String])?.contains { $0.contains("pattern") } == true)
    }

    @Test("A typed password is checked by the engine, and its answer has positions, never a character of it")
    func check() throws {
        let server = try TestServer()
        let descriptor = "required: upper; required: digit; max-repeating: 2; minlength: 9; maxlength: 12"
        let rules = try PasswordRules(descriptor: descriptor)
        for password in ["Abcdefgh1", "zzz", "Quxxx\u{E9}yz\u{1F511}w", "QQQQ1234567890", ""] {
            let answer = try server.post("/check", ["rules": descriptor, "password": password])
            let violations = try #require(answer.object["violations"] as? [[String: Any]])
            let expected = rules.violations(in: password)
            #expect(violations.map { $0["message"] as? String } == expected.map(\.message))
            #expect(violations.map { $0["offset"] as? Int } == expected.map { $0.position?.lowerBound })
            #expect(answer.object["length"] as? Int == password.unicodeScalars.count)
            #expect(password.isEmpty || !answer.body.contains(password))
        }
    }

    @Test("Known sites are found by a part of their name, or by a name below theirs; at most twenty are listed")
    func search() throws {
        var rules = ["shop.example": "minlength: 9", "my-shop.example": "minlength: 8", "a.example": "minlength: 9;"]
        let server = try TestServer(rules)
        let found = try server.post("/sites", ["search": "SHOP"]).object
        let sites = try #require(found["sites"] as? [[String: Any]])
        #expect(sites.map { $0["domain"] as? String } == ["shop.example", "my-shop.example"])
        #expect(sites.first?["rules"] as? String == "minlength: 9" && found["known"] as? Int == 3)
        let sharing = try server.post("/rules", ["rules": "minlength:9"]).object["sharing"] as? [String: Any]
        #expect(sharing?["sites"] as? [String] == ["a.example", "shop.example"])
        let below = try server.post("/sites", ["search": "login.my-shop.example"]).object["sites"] as? [[String: Any]]
        #expect(below?.map { $0["domain"] as? String } == ["my-shop.example"])
        for number in 0..<30 { rules["n\(number).example"] = "" }
        let many = try TestServer(rules).post("/sites", ["search": "example"]).object
        #expect(many["found"] as? Int == 33 && (many["sites"] as? [Any])?.count == 20)
    }
}

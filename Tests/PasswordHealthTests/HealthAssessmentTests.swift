// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SiteKnowledge
import Testing

@testable import PasswordHealth

@Suite("What is wrong with saved passwords")
struct HealthAssessmentTests {
    private static let strong = "vuT2-mm81w-zL4k-Pq9x"
    private static let day: Int64 = 86_400_000

    private func credential(
        _ site: String, _ password: String = strong, user: String = "ann", code: Bool = false, rules: String? = nil,
        created: Int64 = 0, replaced: Int64? = nil, deleted: Int64? = nil
    ) -> Credential {
        Credential(
            id: ObjectID(kind: .credential, high: 1, low: 1),
            services: [CredentialService(Service(kind: .domain, value: site))], user: user,
            password: SecretBytes(utf8: password), rules: rules,
            oneTimeCode: code ? SecretBytes(utf8: "otpauth:") : nil,
            created: Timestamp(milliseconds: created * Self.day), changed: Timestamp(milliseconds: 0),
            writer: Subject(app: "test", assurance: "claimed", executable: ""),
            previous: replaced.map {
                [.init(password: SecretBytes(utf8: "x"), replaced: Timestamp(milliseconds: $0 * Self.day))]
            } ?? [],
            deleted: deleted.map(Timestamp.init))
    }

    /// The problems of each credential.
    private func assess(
        _ credentials: [Credential], sites: PublicSiteData = PublicSiteData(), today: Int64 = 0, oldDays: Int = 0
    ) throws -> [[PasswordProblem]?] {
        var assessment = HealthAssessment(
            .init(sites: sites, suffixes: nil, now: Timestamp(milliseconds: today * Self.day), oldDays: oldDays))
        for credential in credentials { assessment.note(credential) }
        return try credentials.map { try assessment.problems(of: $0) }
    }

    @Test(
        "A password of two sites is reused at both; one of two users of a site, or of sites that share accounts, is not"
    )
    func reused() throws {
        #expect(
            try assess([credential("a.example"), credential("b.example"), credential("c.example", Self.strong + "!")])
                == [Self.atBoth, Self.atBoth, []])
        #expect(try assess([credential("a.example"), credential("a.example", user: "bob")]) == [[], []])
        let sites = PublicSiteData(groups: [.init(from: ["a.example", "b.example"], to: nil)])
        #expect(try assess([credential("a.example"), credential("b.example")], sites: sites) == [[], []])
    }

    private static let atBoth: [PasswordProblem] = [.reused(sites: 2, named: ["a.example", "b.example"])]

    @Test("The first five sites of a reused password are named, whatever their order in the vault")
    func named() throws {
        for count in [5, 7] {
            let found = try assess((1...count).reversed().map { credential("s\($0).example") })
            let names = (1...5).map { "s\($0).example" }
            #expect(found.allSatisfy { $0 == [.reused(sites: count, named: names)] })
            let text = "The password is used at \(count) sites: \(names.joined(separator: ", "))"
            #expect(found[0]?.first?.text == text + (count == 7 ? " and 2 more" : ""))
        }
        let long = String(repeating: "a", count: 300) + ".example"
        let cut = try assess([credential(long), credential("b.example")])
        #expect(cut[1]?.first?.text == "The password is used at 2 sites: \(long.prefix(253)), b.example")
    }

    @Test("A deleted credential is not assessed, and makes no other a reused one")
    func deleted() throws {
        #expect(try assess([credential("a.example"), credential("b.example", deleted: 1)]) == [[], nil])
    }

    @Test("The rules that public data has for a site are checked; each broken one is named")
    func invalid() throws {
        let sites = PublicSiteData(rules: [
            "a.example": .init(descriptor: "minlength: 8; required: digit; allowed: ascii-printable;", isExact: false)
        ])
        let found = try assess(
            [credential("a.example", "Sdkf-Wopx"), credential("www.a.example", "Sdkf-Wopx-1")], sites: sites)
        guard case .invalid("minlength: 8; required: digit; allowed: ascii-printable;", let broken) = found[0]?.last
        else {
            Issue.record("\(found)")
            return
        }
        #expect(broken.count == 1 && broken[0].contains("digit"))
        #expect(found[1]?.contains { if case .invalid = $0 { true } else { false } } == false)
    }

    @Test("A password is as old as its last change, and old only if that was asked for")
    func old() throws {
        let all = [credential("a.example"), credential("b.example", Self.strong + "1", replaced: 60)]
        #expect(try assess(all, today: 100) == [[], []])
        #expect(try assess(all, today: 100, oldDays: 50) == [[.old(days: 100)], []])
        #expect(try assess(all, today: 110, oldDays: 50) == [[.old(days: 110)], [.old(days: 50)]])
    }

    @Test("Where public data or another credential shows that a site has one-time codes, the lack of one is reported")
    func withoutCode() throws {
        let sites = PublicSiteData(appendsCode: ["bank.example"])
        let all = [
            credential("bank.example"), credential("a.example", Self.strong + "1", code: true),
            credential("a.example", Self.strong + "2", user: "bob"), credential("b.example", Self.strong + "3"),
        ]
        #expect(try assess(all, sites: sites) == [[.withoutCode], [], [.withoutCode], []])
    }

    @Test(
        "A password that guessers try early is weak, and what most of it is, is named",
        .enabled(if: HealthAssessment.estimates, "built without libzxcvbn"),
        arguments: [
            ("password1", "a common word or password"), ("P@ssw0rd", "a common word with digits or marks for letters"),
            ("qwertyuiop", nil), ("yyyyyyyyyyyyy", "repeated characters"), ("ann1990", nil), ("19.04.1987", "a date"),
        ] as [(String, String?)])
    func weak(password: String, pattern: String?) throws {
        guard case .weak(let bits, let found) = try assess([credential("a.example", password)])[0]?.first else {
            Issue.record("\(password) is not weak")
            return
        }
        #expect(bits < HealthLimits.weakBits)
        if let pattern { #expect(found == pattern) }
    }

    @Test(
        "Random passwords are not weak, and a generated one of 15 characters is not estimated", .timeLimit(.minutes(1)))
    func strong() throws {
        #expect(try assess([credential("a.example"), credential("b.example", "xQ7-pLw9z!")]).allSatisfy { $0 == [] })
        #expect(
            try assess([credential("a.example", String(repeating: "a", count: 15), rules: "minlength: 15")]) == [[]])
    }

    @Test("No text of a problem has a part of a password")
    func secrecy() throws {
        let password = "correct horse"
        let sites = PublicSiteData(
            rules: ["a.example": .init(descriptor: "minlength: 20; allowed: digit;", isExact: false)],
            appendsCode: ["a.example"])
        let all = [credential("a.example", password), credential("b.example", password)]
        for problem in try assess(all, sites: sites, today: 100, oldDays: 1).flatMap({ $0 ?? [] }) {
            #expect(!problem.text.contains("correct") && !problem.text.contains("horse"), "\(problem.text)")
        }
    }

    @Test("The worst passwords are listed first, as many as the limit; all are counted")
    func report() throws {
        var assessment = HealthAssessment(
            .init(
                sites: PublicSiteData(appendsCode: ["z.example"]), suffixes: nil, now: Timestamp(milliseconds: 0),
                oldDays: 0))
        let reused = (0..<40).map { credential("s\($0).example") }
        let all = [credential("z.example", Self.strong + "1")] + reused + [credential("y.example", Self.strong + "2")]
        for credential in all { assessment.note(credential) }
        var report = HealthReport(limit: 4, hasSiteRules: false)
        for credential in all { try report.add(credential, assessment) }
        #expect(report.assessed == 42 && report.found == 41)
        let (often, once) = (
            PasswordProblem.reused(sites: 40, named: []).severity, PasswordProblem.withoutCode.severity
        )
        #expect(report.counts == [often: 40, once: 1])
        #expect(report.entries.count == 4)
        let names = ["s0.example", "s1.example", "s10.example", "s11.example", "s12.example"]
        #expect(report.entries.allSatisfy { $0.problems == [.reused(sites: 40, named: names)] })
        #expect(report.entries[0].changeAddress == "https://s0.example/.well-known/change-password")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import TestGround
import Testing

@testable import AutofillCommands

@Suite("The lines of autofillctl health")
struct HealthLinesTests {
    private func lines(width: Int?, siteRules: Bool = true) throws -> [String] {
        let sites = (1...5).map { "site-\($0).example" }.joined(separator: ", ")
        let password = AssessedPassword(
            credential: "crd_1", service: .init(type: "domain", value: "site-1.example"), user: "ann",
            problems: [
                ProblemReport(problem: "reused", text: "The password is used at 7 sites: \(sites) and 2 more"),
                ProblemReport(problem: "old", text: "The password was last changed 1200 days ago"),
            ], changePassword: "https://site-1.example/.well-known/change-password")
        let answer = VaultAssess.Answer(
            assessed: 9, found: 1, counts: [ProblemCount(problem: "reused", count: 1)], passwords: [password],
            estimates: false, siteRules: siteRules)
        let console = Console(isTerminal: width != nil, hasColours: false, width: width)
        return try HealthCommand.parse([]).lines(answer, console)
    }

    @Test("On a terminal no line but an address is wider than it, and a text continues under its beginning")
    func wrapped() throws {
        let lines = try lines(width: 50)
        #expect(lines.allSatisfy { $0.columns <= 50 || $0.contains("https://") }, "\(lines)")
        #expect(lines[1] == "  reused: The password is used at 7 sites:")
        #expect(lines[2] == "          site-1.example, site-2.example,")
        #expect(lines.contains("  Change it: https://site-1.example/.well-known/change-password"))
        #expect(try self.lines(width: nil).count == 6)
    }

    @Test("What was not checked is stated with what it needs, the rules of sites too")
    func unchecked() throws {
        let rules = "invalid (see autofillctl quirks import)"
        let others = "Not checked: breached (see --breaches), weak (autofilld was built without libzxcvbn)"
        #expect(try lines(width: nil).last == others + ".")
        #expect(try lines(width: nil, siteRules: false).last == "\(others), \(rules).")
    }
}

@Suite("autofillctl health", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct HealthCommandTests {
    @Test("It lists what should be changed and where, states what was not checked, and exits with 1")
    func listed() async throws {
        let service = try await TestService.withVault()
        for site in ["a.example", "b.example"] {
            let saved = try await service.proven(
                "save", site, "ann", "--password-fd", "3", inputs: [3: "vuT2-mm81w-zL4k-Pq9x"])
            #expect(saved.status == 0, "\(saved.errors)")
        }
        let run = try await service.proven("health")
        #expect(run.status == 1)
        #expect(
            run.output.contains("a.example (ann)\n  reused: The password is used at 2 sites: a.example, b.example\n"))
        #expect(run.output.contains("  Change it: https://b.example/.well-known/change-password\n"))
        #expect(run.output.contains("2 of 2 passwords: 2 reused.\n"))
        #expect(run.output.contains("Not checked: breached (see --breaches)"))
        #expect(run.output.contains("invalid (see autofillctl quirks import)."))
        #expect(!run.output.contains("vuT2"))
        let json = try await service.proven("health", "--json")
        #expect(json.output.hasPrefix(#"{"assessed":2,"found":2,"counts":[{"problem":"reused","count":2}],"#))
    }

    @Test("Where nothing is wrong it states so, and exits with 0; a list that is none is refused with the fix")
    func nothing() async throws {
        let service = try await TestService.withVault()
        let run = try await service.proven("health")
        #expect(run.status == 0 && run.output.contains("Nothing is wrong with 0 passwords."))
        let list = service.directory.path + "/list"
        try service.directory.write("list", "no hashes\n")
        let refused = try await service.proven("health", "--breaches", list)
        #expect(refused.status == 64 && refused.errors.contains("There is no SHA-1 hash at byte 0"))
        #expect(refused.errors.contains("haveibeenpwned-downloader"))
    }
}

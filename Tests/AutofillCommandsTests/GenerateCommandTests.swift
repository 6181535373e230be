// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl generate", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct GenerateCommandTests {
    private static var apple: Regex<Substring> { #/[a-zA-Z0-9]{6}-[a-zA-Z0-9]{6}-[a-zA-Z0-9]{6}\n/# }

    @Test("A site without rules gets Apple's form; it is printed alone, and what is saved is what was printed")
    func apple() async throws {
        let service = try await TestService.withVault()
        let made = try await service.proven("generate", "a.example", "jo")
        #expect(made.status == 0 && made.errors.isEmpty && made.output.wholeMatch(of: Self.apple) != nil, "\(made)")
        #expect(try await service.proven("get", "a.example", "jo", "--reveal").output == made.output)
    }

    @Test("The recorded rules of a site apply, --rules has precedence, and --length and --style are respected")
    func rules() async throws {
        let service = try await TestService.withVault()
        let quirks = service.directory.path + "/quirks"
        try service.directory.write(
            "quirks/password-rules.json",
            #"{"a.example": {"password-rules": "required: digit; allowed: digit; minlength: 9; maxlength: 9;"}}"#)
        let data = ["--data-directory", service.directory.path + "/data"]
        #expect(try await CommandRun.of(["quirks", "import", quirks] + data).status == 0)
        func make(_ site: String, _ more: String...) async throws -> String {
            let run = try await CommandRun.of(
                ["generate", site, "jo", "--yes", "--socket", service.socket, "--key-file", service.key] + data + more)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try await service.proven("get", site, "jo", "--reveal").output == run.output)
            return run.output
        }
        #expect(try await make("login.a.example").wholeMatch(of: #/[0-9]{9}\n/#) != nil)
        #expect(
            try await make("a.example", "--rules", "allowed: upper; minlength: 30").wholeMatch(of: #/[A-Z]{30,}\n/#)
                != nil)
        #expect(try await make("b.example", "--length", "40").utf8.count == 41)
        let random = try await make("b.example", "--style", "random")
        #expect(random.wholeMatch(of: Self.apple) == nil && random.utf8.count > 9)
        #expect(try await service.run("settings", "set", "strongPasswordStyle", "random").status == 0)
        #expect(try await make("c.example").wholeMatch(of: Self.apple) == nil)
        #expect(try await make("c.example", "--style", "readable").wholeMatch(of: Self.apple) != nil)
    }

    @Test("An existing password is replaced only with the user's consent, and rules that cannot be met change nothing")
    func replaces() async throws {
        let service = try await TestService.withVault()
        let first = try await service.proven("generate", "a.example", "jo").output
        let again = try await service.proven("generate", "a.example", "jo")
        #expect(again.status == 66 && again.output.isEmpty && again.errors.contains("--yes"))
        let no = try await CommandRun.atTerminal(
            ["generate", "a.example", "jo", "--socket", service.socket, "--key-file", service.key],
            dialogue: [("[y/N]", "n\n")])
        #expect(no.status == 1 && no.output.isEmpty)
        let unmet = try await service.proven(
            "generate", "a.example", "jo", "--yes", "--rules", "minlength: 9; maxlength: 3")
        #expect(unmet.status == 1 && unmet.errors.contains("Fix: "))
        #expect(try await service.proven("get", "a.example", "jo", "--reveal").output == first)
        let second = try await service.proven("generate", "a.example", "jo", "--yes").output
        #expect(second != first)
        #expect(try await service.proven("get", "a.example", "jo", "--reveal").output == second)
    }

    @Test("--copy gives it to the clipboard and prints it nowhere; without a clipboard nothing is made")
    func copies() async throws {
        let service = try await TestService.withVault()
        let here = service.directory.path
        try service.directory.writeProgram("bin/wl-copy", "#!/bin/sh\n/bin/cat >'\(here)/clipboard'\n")
        func copy(_ environment: [String: String]) async throws -> CommandRun {
            try await CommandRun.of(
                [
                    "generate", "a.example", "jo", "--copy", "--json", "--socket", service.socket, "--key-file",
                    service.key,
                ],
                environment: environment)
        }
        let nowhere = try await copy([:])
        #expect(nowhere.status == 66 && nowhere.errors.contains("no clipboard"))
        #expect(try await service.proven("list").output == "No credential is saved.\n")
        let run = try await copy(["PATH": here + "/bin", "WAYLAND_DISPLAY": "here"])
        let copied = try String(contentsOfFile: here + "/clipboard", encoding: .utf8)
        #expect(run.status == 0 && !copied.isEmpty && !run.output.contains(copied) && run.errors.isEmpty)
        #expect(try await service.proven("get", "a.example", "--reveal").output == copied + "\n")
    }

    @Test("At a terminal it prints the password, its rules and its strength")
    func terminal() async throws {
        let service = try await TestService.withVault()
        let run = try await CommandRun.atTerminal(
            [
                "generate", "a.example", "jo", "--rules", "required: digit; maxlength: 12", "--socket", service.socket,
                "--key-file", service.key,
            ], dialogue: [], printsThere: true)
        for line in ["user      jo", "password  ", "bits, 12 characters", "rules     required: digit; maxlength: 12"] {
            #expect(run.screen.contains(line), "\(run.screen)")
        }
    }
}

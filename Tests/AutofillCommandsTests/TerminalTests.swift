// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl at a terminal", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct TerminalTests {
    private static let passphrase = TestService.passphrase

    @Test("A new passphrase is asked for twice and never shown")
    func create() async throws {
        let service = try await TestService()
        let run = try await CommandRun.atTerminal(
            ["vault", "create", "--socket", service.socket],
            dialogue: [("New passphrase", Self.passphrase + "\n"), ("Again: ", Self.passphrase + "\n")])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(!run.screen.contains("horse"))
        #expect(try await service.run("status", "--json").output.contains(#""vault":"unlocked""#))
    }

    @Test("A passphrase is proof, asked for at the terminal, whatever standard input is")
    func unlock() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        let slots = try await service.proven("vault", "slot", "list").output
        #expect(slots.contains(" MiB (scrypt)") && !slots.contains(" 0 MiB"))
        _ = try await service.run("vault", "lock")
        let unlocked = try await CommandRun.atTerminal(
            ["vault", "unlock", "--socket", service.socket],
            dialogue: [("Passphrase of the vault: ", Self.passphrase + "\n")],
            shell: #""$@" < /dev/null"#)
        #expect(unlocked.status == 0 && !unlocked.screen.contains("horse"))
        let listed = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket], dialogue: [("Passphrase of the vault: ", Self.passphrase + "\n")])
        #expect(listed.status == 0 && listed.output == "No credential is saved.\n")
    }

    @Test("Two different passphrases create no vault")
    func different() async throws {
        let service = try await TestService()
        let run = try await CommandRun.atTerminal(
            ["vault", "create", "--socket", service.socket],
            dialogue: [("New passphrase", "one horse one\n"), ("Again: ", "two horse two\n")])
        #expect(run.status == 1 && run.errors.contains("differ"))
        #expect(try await service.run("status", "--json").output.contains(#""vault":"missing""#))
    }

    @Test("Control-C while a passphrase is asked for ends with 130 and gives the echo back")
    func interrupted() async throws {
        let service = try await TestService()
        let run = try await CommandRun.atTerminal(
            ["vault", "create", "--socket", service.socket], dialogue: [("New passphrase", "abc\u{3}")],
            printsThere: true, shell: #""$@"; echo "status $?"; stty -a"#)
        #expect(run.screen.contains("status 130") && !run.screen.contains("abc"))
        #expect(run.screen.contains(" echo ") && run.screen.contains("isig"))
        #expect(try await service.run("status", "--json").output.contains(#""vault":"missing""#))
    }

    @Test("delete asks first, and anything but yes is no")
    func confirmation() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        let listed = try await service.proven("list", "--json").output
        let id = try #require(listed.split(separator: "\"").first { $0.hasPrefix("crd_") }).description
        let arguments = ["delete", id, "--socket", service.socket, "--key-file", service.key]
        let no = try await CommandRun.atTerminal(arguments, dialogue: [("[y/N]", "\n")])
        #expect(no.status == 1 && no.errors.contains("Nothing was changed"))
        #expect(no.screen.contains("Delete jo at a.example? [y/N]"))
        #expect(try await service.proven("list", "--json").output == listed)
        #expect(try await CommandRun.atTerminal(arguments, dialogue: [("[y/N]", "yes\n")]).status == 0)
        #expect(try await service.proven("list").output == "No credential is saved.\n")
    }

    @Test(
        "What is shown keeps to the terminal's width, and with NO_COLOR is the same without escapes",
        arguments: [80, 120])
    func width(columns: Int) async throws {
        let service = try await TestService.withVault()
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        let folder = String(repeating: "/folder", count: 6)
        try service.directory.write(
            "apps/org.example.Web.json",
            #"{"bundleID": "org.example.Web", "name": "W", "entitlements": {"com.apple.developer.web-browser": true}}"#)
        try service.directory.write("apps/org.example.Bad.json", #"{"bundleID": "org.example.Bad", "name": 5}"#)
        _ = try await service.proven(
            "save", "a-long-name.of.a.subdomain.example.org", "a.long.user.name@mail.example.org", "--password-fd", "3",
            "--label", String(repeating: "a long label ", count: 8), inputs: [3: "one"])
        let proof = ["--socket", service.socket, "--key-file", service.key]
        let commands = [
            ["status", "--socket", service.socket], ["next", "--socket", service.socket], ["list"] + proof,
            ["app", "list", "--registrations", service.registrations], ["settings", "list"] + proof,
            ["grant", "allow", "org.example.Shop", "shop.example.com"] + proof, ["grant", "list"] + proof,
            ["domain", "list"] + proof, ["vault", "slot", "list"] + proof, ["edit", "a", "b"], ["get", "--help"],
            ["explain", "org.example.Shop", "--domain", "other.example", "--registrations", service.registrations]
                + proof,
            ["get", "a-long-name.of.a.subdomain.example.org"] + proof, ["vault", "restore", folder] + proof,
        ]
        for arguments in commands {
            func run(_ environment: [String: String]) async throws -> String {
                try await CommandRun.atTerminal(
                    arguments, dialogue: [], printsThere: true, columns: columns, shell: #""$@" 2>&1"#,
                    environment: environment.merging(["TERM": "xterm"]) { $1 }
                ).screen
            }
            let plain = try await run(["NO_COLOR": "1"])
            #expect(!plain.isEmpty && !plain.contains("\u{1B}"), "\(arguments)")
            for line in plain.split(whereSeparator: \.isNewline) where !line.contains(service.directory.path) {
                #expect(line.count <= columns, "\(arguments): \(line)")
            }
            if arguments[0] == "grant" { continue }
            let coloured = try await run([:]).replacing(#/\u{1B}\[[0-9]+m/#, with: "")
            #expect(coloured == plain, "\(arguments)")
        }
    }

    @Test("On a terminal --reveal shows the password among the rest")
    func reveal() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "pass word"])
        let arguments = ["get", "a.example", "--socket", service.socket, "--key-file", service.key]
        let shown = try await CommandRun.atTerminal(arguments + ["--reveal"], dialogue: [], printsThere: true)
        #expect(shown.screen.contains("user      jo") && shown.screen.contains("password  pass word"))
        let hidden = try await CommandRun.atTerminal(arguments, dialogue: [], printsThere: true)
        #expect(hidden.screen.contains("hidden; --reveal shows it") && !hidden.screen.contains("pass word"))
    }

    @Test("Colours are for terminals, and NO_COLOR keeps them away; lines fit")
    func colours() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["explain", "org.example.NotSetUp", "--registrations", directory.path]
        let coloured = try await CommandRun.atTerminal(arguments, dialogue: [], printsThere: true)
        #expect(coloured.screen.contains("\u{1B}[31mNO\u{1B}[0m"))
        let plain = try await CommandRun.atTerminal(
            arguments, dialogue: [], printsThere: true, columns: 100, environment: ["NO_COLOR": "1"])
        #expect(!plain.screen.contains("\u{1B}") && plain.screen.contains("NO  The app is registered"))
        for line in plain.screen.split(whereSeparator: \.isNewline) { #expect(line.count <= 100) }
        #expect(try await !CommandRun.of(arguments).output.contains("\u{1B}"))
    }
}

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

    @Test("A passphrase is proof, asked for at the terminal wherever standard input comes from")
    func unlock() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        _ = try await service.run("vault", "lock")
        let unlocked = try await CommandRun.atTerminal(
            ["vault", "unlock", "--socket", service.socket],
            dialogue: [("Passphrase of the vault: ", Self.passphrase + "\n")],
            shell: #""$@" < /dev/null"#)
        #expect(unlocked.status == 0 && !unlocked.screen.contains("horse"))
        let listed = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket], dialogue: [("Passphrase of the vault: ", Self.passphrase + "\n")])
        #expect(listed.status == 0 && listed.output == "Nothing is saved.\n")
    }

    @Test("Two that are not alike make no vault")
    func notAlike() async throws {
        let service = try await TestService()
        let run = try await CommandRun.atTerminal(
            ["vault", "create", "--socket", service.socket],
            dialogue: [("New passphrase", "one horse one\n"), ("Again: ", "two horse two\n")])
        #expect(run.status == 1 && run.errors.contains("not alike"))
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
        #expect(try await service.proven("list", "--json").output == listed)
        #expect(try await CommandRun.atTerminal(arguments, dialogue: [("[y/N]", "yes\n")]).status == 0)
        #expect(try await service.proven("list").output == "Nothing is saved.\n")
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

// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestGround
import Testing

@testable import AutofillCommands

/// At real terminals: a shell leads the session, and starts the commands.
@Suite("The passphrase, once at a terminal", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct TerminalProofTests {
    private static let passphrase = TestService.passphrase
    private static let question = "Passphrase of the vault: "

    /// Runs a script whose `ask` lists the saved credentials; the passphrase is typed exactly as often as it is asked
    /// for. The program is a copy of its own: a change of its file, by a test beside this one, is another program.
    private func run(_ service: TestService, typing times: Int, _ script: String) async throws -> CommandRun {
        let run = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket],
            dialogue: [(shows: String, type: String)](repeating: (Self.question, Self.passphrase + "\n"), count: times),
            printsThere: true,
            shell: "ctl='\(service.directory.path)/autofillctl'; "
                + #"[ -e "$ctl" ] || cp "$1" "$ctl"; ask() { shift; "$ctl" "$@" && echo DONE; }; "# + script,
            environment: ["PATH": "/usr/bin:/bin"])
        let questions = run.screen.components(separatedBy: Self.question).count - 1
        #expect(questions == times, "\(run.screen)\(run.errors)")
        return run
    }

    @Test("The second command of a session asks for nothing, another session does, and so does one after lock-terminal")
    func once() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        let run = try await run(
            service, typing: 2,
            #"ask "$@"; ask "$@"; "$ctl" status --socket "$4"; "$ctl" lock-terminal --socket "$4"; ask "$@"; ask "$@""#)
        #expect(run.status == 0 && run.screen.components(separatedBy: "DONE").count == 5, "\(run.screen)")
        #expect(run.screen.contains("terminal") && run.screen.contains("to end it: autofillctl lock-terminal"))
        _ = try await self.run(service, typing: 1, #"ask "$@""#)
    }

    @Test("Locking the vault ends it, and unlocking it at the terminal counts as giving the passphrase there")
    func locking() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        _ = try await run(
            service, typing: 2,
            #"ask "$@"; "$ctl" vault lock --socket "$4"; "$ctl" vault unlock --socket "$4"; ask "$@""#)
    }

    @Test(
        "Another program at the same terminal has to prove itself again, and a program that has left the terminal receives nothing"
    )
    func others() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        let copy = service.directory.path + "/copy"
        let run = try await run(
            service, typing: 2,
            #"ask "$@"; cp "$ctl" '\#(copy)'; '\#(copy)' list --socket "$4" && echo DONE; "#
                + #"setsid -w "$ctl" list --socket "$4" </dev/null; echo "left $?""#)
        #expect(run.screen.contains("left 66"), "\(run.screen)\(run.errors)")
    }

    /// What the shell would read after the command.
    private static let rest = #"stty -icanon min 0 time 1; echo "rest=$(head -c 200)=""#

    @Test("A wrong passphrase is asked for again, three times in all, and the third may be right")
    func again() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        for isLocked in [false, true] {
            if isLocked { _ = try await service.run("vault", "lock") }
            let run = try await CommandRun.atTerminal(
                ["list", "--socket", service.socket],
                dialogue: [
                    (Self.question, "wrong one\n"), (Self.question, "wrong two\n"),
                    (Self.question, Self.passphrase + "\n"),
                ],
                printsThere: true)
            #expect(run.status == 0 && run.screen.contains("No credential is saved."), "\(run.screen)\(run.errors)")
            #expect(run.screen.components(separatedBy: "try again").count == 3, "\(run.screen)")
        }
        let thrice = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket],
            dialogue: (1...4).map { _ in (Self.question, "wrong horse\n") }, printsThere: true)
        #expect(thrice.status == 1 && thrice.errors.contains("(proof-wrong)"), "\(thrice.errors)")
        #expect(thrice.screen.components(separatedBy: Self.question).count == 4, "\(thrice.screen)")
    }

    @Test("What is typed while a passphrase is checked is not shown, and the shell does not receive it")
    func typedAhead() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        // The delay after four wrong ones, two seconds, is the time in which it is typed.
        let wrong = (1...4).map { _ in (shows: Self.question, type: "wrong horse\n") }
        let early = [(shows: Self.question, type: "wrong horse\n"), (shows: "Waiting:", type: "typed too early\n")]
        let run = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket], dialogue: wrong + early + early, printsThere: true,
            shell: #""$@" 2>&1; "$@" 2>&1; "# + Self.rest, environment: ["PATH": "/usr/bin:/bin"])
        #expect(run.screen.contains("Waiting:") && run.screen.contains("rest=="), "\(run.screen)")
        #expect(!run.screen.contains("too early") && !run.screen.contains("horse"), "\(run.screen)")
    }

    @Test("Without a vault nothing is asked, and a passphrase that was typed already is discarded")
    func noVault() async throws {
        let service = try await TestService()
        let run = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket], dialogue: [("ready", Self.passphrase + "\n"), ("horse", "")],
            printsThere: true, shell: #"echo ready; head -c 1 >/dev/null; "$@"; "# + Self.rest,
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(run.errors.contains("(vault-missing)") && run.screen.contains("rest=="), "\(run.screen)\(run.errors)")
    }

    @Test("Control-C while the passphrase is checked ends with 130 and restores the echo")
    func interruptedCheck() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        let run = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket],
            dialogue: (1...5).map { _ in (Self.question, "wrong\n") } + [("Waiting:", "\u{3}")],
            printsThere: true, shell: #"trap : INT; "$@" 2>&1; "$@" 2>&1; echo "status $?"; stty -a"#,
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(run.screen.contains("status 130") && run.screen.contains(" echo "), "\(run.screen)")
    }

    @Test("A passphrase from a descriptor holds nowhere, and with 0 in the settings one that is typed does not either")
    func scripts() async throws {
        let service = try await TestService.withVault(passphrase: Self.passphrase)
        try service.directory.write("passphrase", Self.passphrase)
        _ = try await run(
            service, typing: 1,
            #""$ctl" list --socket "$4" --passphrase-fd 0 <'\#(service.directory.path)/passphrase'; ask "$@""#)
        #expect(try await service.run("settings", "set", "terminalProofMinutes", "0").status == 0)
        _ = try await self.run(service, typing: 2, #"ask "$@"; ask "$@""#)
        // A longer time again weakens the protection.
        let more = try await service.run("settings", "set", "terminalProofMinutes", "60")
        #expect(more.status == 66)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}

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
    /// for.
    private func run(_ service: TestService, typing times: Int, _ script: String) async throws -> CommandRun {
        let run = try await CommandRun.atTerminal(
            ["list", "--socket", service.socket],
            dialogue: [(shows: String, type: String)](repeating: (Self.question, Self.passphrase + "\n"), count: times),
            printsThere: true, shell: #"ctl=$1; ask() { "$@" && echo DONE; }; "# + script,
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

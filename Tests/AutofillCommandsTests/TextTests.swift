// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons
import Testing

@testable import AutofillCommands

@Suite("The text output of commands")
struct TextTests {
    @Test("A number has its noun, and a path is quoted as one argument for a shell")
    func quoting() {
        #expect([0, 1, 2].map { $0.counted("record") } == ["0 records", "1 record", "2 records"])
        #expect(1.counted("entry", "entries") == "1 entry" && 3.counted("entry", "entries") == "3 entries")
        #expect("/home/jo/vault.key".shellQuoted == "/home/jo/vault.key")
        #expect("/home/jo/my key".shellQuoted == "'/home/jo/my key'" && "".shellQuoted == "''")
        #expect("it's".shellQuoted == #"'it'\''s'"#)
    }

    @Test("A command is on one line, however long, and can be copied", arguments: [20, 50, 80])
    func commands(width: Int) {
        let allow = "autofillctl grant allow org.example.VeryLongName.Shop 'a name with, blanks; and marks'"
        let text = "Allow it, or stop it. Allow it: \(allow); or deny it: autofillctl grant deny A B. Then try again."
        let lines = text.wrapped(toColumns: width)
        #expect(lines.joined(separator: " ") == text)
        #expect(lines.contains { $0.contains(allow) } && lines.contains { $0.contains("autofillctl grant deny A B.") })
        #expect(lines.allSatisfy { $0.columns <= width || $0.hasPrefix("autofillctl ") }, "\(lines)")
        let path = "/home/jo/a/very/long/path/to/a/file/that/nobody/would/type/by/hand.sqlite"
        #expect("Put it back: \(path)".wrapped(toColumns: width).last?.hasSuffix(path) == true)
    }

    @Test("What was typed wrong has the corrected command as its fix")
    func corrections() {
        func fix(_ arguments: String...) -> String? { UnknownCommand(arguments)?.fix }
        #expect(fix("lst", "--tag", "a b") == "Did you mean: autofillctl list --tag 'a b'")
        #expect(fix("vault", "--json", "unlok") == "Did you mean: autofillctl vault --json unlock")
        #expect(fix("get", "lst") == nil && fix("vault") == nil && fix("something-else") == nil && fix() == nil)
        #expect(
            CommandLineFix.fix("a.exmple", "a.example", in: ["get", "a.exmple", "jo d'A"])
                == #"Did you mean: autofillctl get a.example 'jo d'\''A'"#)
        #expect(CommandLineFix.fix("x", "y", in: []) == #"Did you mean "y" instead of "x"?"#)
        #expect(
            CommandLineFix.command(adding: "jo", after: "a.example", in: ["delete", "a.example", "--yes"])
                == "autofillctl delete a.example jo --yes")
    }

    @Test("status shows the progress of work on the vault, and counts offers")
    func status() {
        func lines(offers: Int, _ work: Status.VaultWork?, version: String = ProductVersion.text) -> [String] {
            StatusCommand.lines(
                Status.Answer(
                    protocolVersion: 1, vault: "unlocked",
                    daemon: DaemonState(
                        version: version, isEphemeral: false, vaultPath: nil, credentials: 0, pendingOffers: offers,
                        clients: 1, apps: 0, problems: [], isMemoryLocked: true, isDerivationLocked: false,
                        settingsPath: "/", work: work))
            ).map { "\($0): \($1)" }
        }
        let busy = lines(offers: 1, Status.VaultWork(method: "admin.vault.check", done: 480, all: 1200))
        #expect(busy.contains("work: admin.vault.check, 40 % of 1200 records"))
        #expect(busy.contains("offers: 1 is pending"))
        #expect(lines(offers: 2, nil).contains("offers: 2 are pending"))
        let starting = lines(offers: 0, Status.VaultWork(method: nil, done: 0, all: 0))
        #expect(starting.contains("work: autofilld's own work"))
        #expect(!starting.contains { $0.hasPrefix("version: ") })
        let older = lines(offers: 0, nil, version: "0.0.9")
        #expect(
            older.contains {
                $0.hasPrefix("version: autofilld 0.0.9 runs, and autofillctl is \(ProductVersion.text)")
                    && $0.hasSuffix(": systemctl --user try-restart autofilld")
            }, "\(older)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support
import TestGround
import Testing

@testable import AutofillCommands

@Suite(
    "autofillctl vault slot, check, backup, restore, rekey; undelete", .serialized,
    .enabled(if: TestService.isThere, TestService.absence))
struct VaultCareCommandTests {
    private func value(_ name: String, in json: String) -> String? {
        let strings = json.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        guard let index = strings.lastIndex(of: name), index + 2 < strings.count else { return nil }
        return strings[index + 2]
    }

    @Test("A recovery key is shown once, unlocks the vault, and is a proof")
    func recoveryKey() async throws {
        let service = try await TestService.withVault()
        let added = try await service.proven(
            "vault", "slot", "add", "--new-recovery-key", "--label", "in the drawer")
        #expect(added.status == 0 && added.output.contains("Slot 2 now also opens the vault."))
        #expect(added.output.contains("shown only once"))
        let key = try #require(
            added.output.split(separator: "\n").map { $0.drop { $0 == " " } }.first {
                $0.split(separator: "-").count == 8
            }
        ).description
        let listed = try await service.proven("vault", "slot", "list")
        #expect(listed.output.contains("in the drawer") && !listed.output.contains(key))
        _ = try await service.run("vault", "lock")
        let unlocked = try await service.run("vault", "unlock", "--recovery-key-fd", "3", inputs: [3: key.lowercased()])
        #expect(unlocked.status == 0)
        let proven = try await service.run(
            "vault", "slot", "list", "--recovery-key-fd", "3", "--json", inputs: [3: key])
        #expect(proven.status == 0 && proven.output.hasPrefix(#"{"slots":[{"slot":1,"kind":"key","#))
        let mistyped = String(key.reversed())
        let refused = try await service.run("vault", "slot", "list", "--recovery-key-fd", "3", inputs: [3: mistyped])
        #expect(refused.status == 1 && refused.errors.contains("(recovery-key-mistyped)"))
    }

    @Test("A sheet has a recovery key that opens the vault, the commands for it, and no other secret")
    func sheet() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "bank.example", "ann", "--password-fd", "3", inputs: [3: "zebra"])
        let added = try await service.proven("vault", "slot", "add", "--new-recovery-key", "--sheet")
        #expect(added.status == 0 && added.errors.contains("Slot 2 now also opens the vault"))
        let lines = added.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        let key = try #require(lines.first { $0.split(separator: "-").count == 8 }).description
        #expect(lines.contains { $0.hasPrefix("vault ") && $0.hasSuffix("/vault.sqlite") })
        #expect(lines.contains("autofillctl vault slot remove 2") && !added.output.contains("zebra"))
        #expect(!added.errors.contains(key) && lines.allSatisfy { $0.count < 90 || $0.hasPrefix("vault ") })
        _ = try await service.run("vault", "lock")
        let unlocked = try await service.run("vault", "unlock", "--recovery-key-fd", "3", inputs: [3: key])
        #expect(unlocked.status == 0)
        let wrong = try await service.proven("vault", "slot", "add", "--sheet")
        #expect(wrong.status == 64 && wrong.errors.contains("--new-recovery-key"))
    }

    @Test("A sheet that cannot be written is a failure that shows the key at a terminal and names the slot")
    func unwrittenSheet() async throws {
        let service = try await TestService.withVault()
        let arguments = [
            "vault", "slot", "add", "--new-recovery-key", "--sheet", "--socket", service.socket, "--key-file",
            service.key,
        ]
        let full = try await CommandRun.atTerminal(
            arguments, dialogue: [], shell: #""$@" >/dev/full; echo "status $?" >&2"#)
        #expect(full.errors.contains("status 71") && full.errors.contains("autofillctl vault slot remove 2"), "\(full)")
        #expect(!full.errors.contains("on the sheet alone"))
        #expect(!full.errors.contains(/([A-Za-z0-9]+-){7}/), "a file may be a log")
        let shown = try await CommandRun.atTerminal(arguments, dialogue: [], shell: #""$@" >/dev/full 2>&0"#)
        let key = try #require(shown.screen.firstMatch(of: /([A-Za-z0-9]+-){7}[A-Za-z0-9]+/)?.0).description
        let listed = try await service.run("vault", "slot", "list", "--recovery-key-fd", "3", inputs: [3: key])
        #expect(listed.status == 0, "\(listed.errors)")
    }

    @Test("Where nothing reads the sheet, no slot is added")
    func unreadSheet() async throws {
        let service = try await TestService.withVault()
        let script = #"mkfifo "$HOME/f"; exec 3<>"$HOME/f" 4>"$HOME/f" 3<&-; "$@" >&4; echo "status $?" >&2"#
        let run = try await CommandRun.atTerminal(
            [
                "vault", "slot", "add", "--new-recovery-key", "--sheet", "--socket", service.socket, "--key-file",
                service.key,
            ], dialogue: [], shell: script)
        #expect(run.errors.contains("status 71") && run.errors.contains("no slot was added"), "\(run.errors)")
        let listed = try await service.proven("vault", "slot", "list", "--json")
        #expect(listed.output.split(separator: #""slot":"#).count == 2, "\(listed.output)")
    }

    /// Reads the code in a text, whose blocks are two modules each, with libzbar.
    private static let camera = """
        import ctypes, sys
        zbar = ctypes.CDLL("libzbar.so.0")
        for name in ("image_scanner_create", "image_create", "image_first_symbol", "symbol_get_data"):
            getattr(zbar, "zbar_" + name).restype = ctypes.c_void_p
        lines = [line for line in sys.stdin.read().split("\\n") if len(line) > 20 and set(line) <= set(" \u{2580}\u{2584}\u{2588}")]
        rows = [[c in dark for c in line] for line in lines for dark in ("\u{2580}\u{2588}", "\u{2584}\u{2588}")]
        scale = 4
        pixels = b"".join(bytes(0 if dark else 255 for dark in row for _ in range(scale)) * scale for row in rows)
        image = ctypes.c_void_p(zbar.zbar_image_create())
        zbar.zbar_image_set_format(image, 0x30303859)
        zbar.zbar_image_set_size(image, len(rows[0]) * scale, len(rows) * scale)
        zbar.zbar_image_set_data(image, pixels, ctypes.c_ulong(len(pixels)), None)
        zbar.zbar_scan_image(ctypes.c_void_p(zbar.zbar_image_scanner_create()), image)
        symbol = ctypes.c_void_p(zbar.zbar_image_first_symbol(image))
        print(ctypes.string_at(zbar.zbar_symbol_get_data(symbol)).decode() if symbol.value else "no code")
        """
    private static let hasCamera =
        (try? ForeignProgram("/usr/bin/python3", ["-c", "import ctypes; ctypes.CDLL('libzbar.so.0')"]).status) == 0

    @Test("A camera reads the key from the sheet", .enabled(if: hasCamera, "needs python3 and libzbar0"))
    func code() async throws {
        let service = try await TestService.withVault()
        let added = try await service.proven("vault", "slot", "add", "--new-recovery-key", "--sheet")
        let lines = added.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        let key = try #require(lines.first { $0.split(separator: "-").count == 8 })
        let read = try ForeignProgram("/usr/bin/python3", ["-c", Self.camera], input: added.output)
        #expect(read.output == key + "\n", "\(added.output)")
    }

    @Test("vault create also generates a recovery key on request, and prints the strength of each slot")
    func createWithRecoveryKey() async throws {
        let service = try await TestService()
        let made = try await service.run(
            "vault", "create", "--no-passphrase", "--key-file", service.key, "--recovery-key", "--json")
        let key = try #require(value("recoveryKey", in: made.output))
        _ = try await service.run("vault", "lock")
        #expect(try await service.run("vault", "unlock", "--recovery-key-fd", "3", inputs: [3: key]).status == 0)
    }

    @Test("A changed slot names the backups that the former key still opens; the last slot stays")
    func change() async throws {
        let service = try await TestService.withVault()
        let backup = service.directory.path + "/backup.sqlite"
        let made = try await service.proven("vault", "backup", backup)
        #expect(made.status == 0 && made.output.contains("read back"))
        let again = try await service.proven("vault", "backup", backup)
        #expect(again.status == 1 && again.errors.contains("already exists"))
        #expect(try await service.proven("vault", "backups").output.contains(backup))
        let newKey = service.directory.path + "/new.key"
        let changed = try await service.proven("vault", "slot", "change", "1", "--new-key-file", newKey)
        #expect(changed.status == 0 && changed.output.contains(backup) && changed.output.contains("vault rekey"))
        let last = try await CommandRun.of(
            ["vault", "slot", "remove", "1", "--yes", "--key-file", newKey, "--socket", service.socket])
        #expect(last.status == 1 && last.errors.contains("(slot-last)"))
        let unasked = try await CommandRun.of(
            ["vault", "slot", "remove", "1", "--key-file", newKey, "--socket", service.socket])
        #expect(unasked.status == 66 && unasked.errors.contains("--yes"))
        let unknown = service.directory.path + "/unknown.key"
        let refused = try await CommandRun.of(
            [
                "vault", "slot", "change", "9", "--new-key-file", unknown, "--key-file", newKey, "--socket",
                service.socket,
            ])
        #expect(refused.status == 1 && refused.errors.contains("(slot-not-found)"))
        #expect(access(unknown, F_OK) != 0)
    }

    @Test("A backup is restored with what opened the vault when it was made, and the vault before it is kept")
    func restore() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "former"])
        let backup = service.directory.path + "/backup.sqlite"
        _ = try await service.proven("vault", "backup", backup)
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "present"])
        for arguments in [["vault", "restore"], ["vault", "salvage"]] {
            for file in [service.directory.path + "/none.sqlite", service.directory.path] {
                // No confirmation and no passphrase is asked for.
                let run = try await CommandRun.atTerminal(
                    arguments + [file, "--socket", service.socket], dialogue: [("[y/N]", "y\n")])
                #expect(run.status == 66 && run.errors.contains(file) && run.errors.contains("nothing was changed"))
                #expect(run.screen.isEmpty)
            }
        }
        let asked = try await service.proven("vault", "restore", backup)
        #expect(asked.status == 66 && asked.errors.contains("--yes"))
        let restored = try await service.proven("vault", "restore", backup, "--yes")
        #expect(restored.status == 0 && restored.output.contains("is kept"), "\(restored.errors)")
        #expect(try await service.proven("get", "a.example", "--reveal").output == "former\n")
        let none = try await service.proven("vault", "restore", service.key, "--yes")
        #expect(none.status == 1 && none.errors.contains("(backup-not-usable)"))
    }

    @Test("A backup is restored with a recovery key of its own, from a descriptor or typed at the terminal")
    func restoreWithRecoveryKey() async throws {
        let service = try await TestService.withVault()
        let added = try await service.proven("vault", "slot", "add", "--new-recovery-key", "--json")
        let key = try #require(value("recoveryKey", in: added.output))
        let backup = service.directory.path + "/backup.sqlite"
        _ = try await service.proven("vault", "backup", backup)
        let newKey = service.directory.path + "/new.key"
        _ = try await service.proven("vault", "slot", "change", "1", "--new-key-file", newKey)
        let restore = ["vault", "restore", backup, "--yes", "--socket", service.socket, "--key-file"]
        #expect(try await CommandRun.of(restore + [newKey]).status == 1, "the vault's own key is another one now")
        let read = try await CommandRun.of(restore + [newKey, "--backup-recovery-key-fd", "3"], inputs: [3: key])
        #expect(read.status == 0 && read.output.contains("was restored"), "\(read.errors)")
        let typed = try await CommandRun.atTerminal(
            restore + [service.key, "--backup-recovery-key"],
            dialogue: [("Recovery key of the backup: ", key + "\n")])
        #expect(typed.status == 0 && typed.output.contains("was restored"), "\(typed.errors)")
        let both = try await CommandRun.of(restore + [newKey, "--backup-recovery-key", "--backup-passphrase"])
        #expect(both.status == 64 && both.errors.contains("Give one of the options --backup-"))
    }

    @Test("Rekey keeps the slot that it is proven with, and shuts out the others")
    func rekey() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "kept"])
        let other = service.directory.path + "/other.key"
        _ = try await service.proven("vault", "slot", "add", "--new-key-file", other)
        let rekeyed = try await service.proven("vault", "rekey", "--yes")
        #expect(rekeyed.status == 0 && rekeyed.output.contains("encrypted with a new key"), "\(rekeyed.errors)")
        let refused = try await CommandRun.of(["list", "--key-file", other, "--socket", service.socket])
        #expect(refused.status == 1 && refused.errors.contains("(proof-wrong)"))
        // After a wrong key the next try waits, a quarter of a second; the command does.
        #expect(try await service.proven("get", "a.example", "--reveal").output == "kept\n")
        let checked = try await service.proven("vault", "check")
        #expect(checked.status == 0 && checked.output.contains("The vault is intact"))
    }

    @Test("With --quiet creating, changing, salvaging and encrypting the vault again print a new recovery key alone")
    func quiet() async throws {
        let service = try await TestService()
        let made = try await service.run("vault", "create", "--no-passphrase", "--key-file", service.key, "--quiet")
        #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
        let backup = service.directory.path + "/backup.sqlite"
        _ = try await service.proven("vault", "backup", backup)
        let other = service.directory.path + "/other.key"
        for arguments in [
            ["salvage", backup, "--into", backup + ".new"],
            ["slot", "add", "--new-key-file", other], ["slot", "change", "2", "--new-key-file", other + ".new"],
            ["slot", "remove", "2", "--yes"], ["rekey", "--yes"],
        ] {
            let run = try await CommandRun.of(
                ["vault"] + arguments + ["--quiet", "--socket", service.socket, "--key-file", service.key])
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(arguments): \(run.errors)")
        }
        let drawn = try await service.proven("vault", "slot", "add", "--new-recovery-key", "--quiet")
        #expect(drawn.status == 0 && drawn.output.hasPrefix("The recovery key is shown only once"))
        #expect(try await service.proven("vault", "quarantine", "--quiet").output == "Nothing is in quarantine.\n")
        let missing = try await service.proven("vault", "quarantine", "--restore", "9", "--quiet")
        #expect(missing.output == "There is no number 9.\n")
    }

    @Test("vault check prints its findings as JSON")
    func check() async throws {
        let service = try await TestService.withVault()
        let run = try await service.proven("vault", "check", "--repair", "--json")
        #expect(run.status == 0 && run.output.hasPrefix(#"{"intact":true,"records":"#))
    }

    @Test("What was deleted is listed, and got back")
    func undelete() async throws {
        let service = try await TestService.withVault()
        let saved = try await service.proven(
            "save", "a.example", "jo", "--password-fd", "3", "--json", inputs: [3: "one"])
        let id = try #require(value("credential", in: saved.output))
        _ = try await service.proven("delete", id, "--yes")
        #expect(try await service.proven("delete", id, "--yes").output == "It was deleted already.\n")
        #expect(try await service.proven("list").output.contains("No credential is saved."))
        #expect(try await service.proven("list", "--deleted").output.contains(id))
        #expect(try await service.proven("undelete", id).status == 0)
        #expect(try await service.proven("get", "a.example", "--reveal").output == "one\n")
        #expect(try await service.proven("undelete", id).output == "It was not deleted.\n")
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

@Suite(
    "autofillctl import gnome-keyring", .serialized, .timeLimit(.minutes(3)),
    .enabled(if: TestService.isThere, TestService.absence),
    .enabled(if: KeyringFixture.isAvailable, KeyringFixture.need))
struct ImportTests {
    private static let mail = [
        "label": "A mail ✉", "secret": "zebra-1", "xdg:schema": "org.gnome.Evolution.Data.Source", "e-source-uid": "x",
    ]
    private static let work =
        #"["collection", "work", "Work & Co", "horse"]"# + "\n"
        + #"["item", "work", "w1", "At work", {"host": "work.example"}, "zebra-work"]"# + "\n"

    @Test("All that the keyrings have is in the vault, whole; they stay as they are, and a second run saves nothing")
    func lifecycle() async throws {
        let service = try await TestService.withVault()
        let long = String(repeating: "é\u{0}\n", count: 8000)
        let items = [
            Self.mail, ["label": "", "secret": "", "host": "empty.example"],
            ["label": "Long", "secret": long, "host": "ä ö", "user": "jo=ann"],
            ["label": "Long", "secret": "another", "host": "ä ö", "user": "jo=ann"],
        ]
        let keyrings = try KeyringFixture(items)
        try keyrings.directory.write(
            "keyrings/old.keyring",
            """
            [keyring]
            display-name=Old
            ctime=0
            mtime=0
            lock-on-idle=false
            lock-after=false

            [1]
            item-type=0
            display-name=In plain text
            secret=zebra-plain
            mtime=1614591000
            ctime=1582968600

            [1:attribute0]
            name=user
            type=string
            value=ann

            """)
        let before = try keyrings.state()
        let first = try await keyrings.runImport(service)
        #expect(first.status == 0 && first.output.contains("5 items saved"), "\(first)")
        let stored = try await StoredItem.all(service)
        #expect(stored.count == 5 && stored.allSatisfy { $0.collection == "login" && $0.contentType == "text/plain" })
        for item in items {
            var found: [String] = []
            for other in stored where other.label == item["label"] {
                let attributes = other.attributes?.filter { $0.value != "org.freedesktop.Secret.Generic" }
                if attributes == item.filter({ !["label", "secret"].contains($0.key) }) {
                    found.append(try await other.secret(service))
                }
            }
            #expect(found.contains(item["secret"] ?? "?"), "\(item["label"] ?? "") \(found.count)")
        }
        let plain = try #require(stored.first { $0.label == "In plain text" })
        #expect(plain.created == "2020-02-29T09:30:00.000Z" && plain.modified == "2021-03-01T09:30:00.000Z")
        let second = try await keyrings.runImport(service, "--json")
        #expect(second.status == 0 && second.output.contains(#""saved":0,"known":5,"changedSince":0"#), "\(second)")
        #expect(try await Set(StoredItem.all(service)) == Set(stored))
        #expect(try keyrings.state() == before)
        #expect(try keyrings.leftFolders() == [])
        for text in [first.output, first.errors, second.output, service.process.journal().joined()] {
            #expect(!text.contains("zebra"), "\(text)")
        }
    }

    @Test("What an app has changed in the vault since is neither put back nor doubled")
    func changed() async throws {
        let service = try await TestService.withVault()
        let keyrings = try KeyringFixture([Self.mail])
        #expect(try await keyrings.runImport(service).status == 0)
        let item = try #require(try await StoredItem.all(service).first)
        let change = try await CommandRun.of(
            [
                "keychain", "set", item.item, "--data-fd", "3", "--socket", service.socket, "--key-file", service.key,
            ], inputs: [3: "newer"])
        #expect(change.status == 0, "\(change)")
        let again = try await keyrings.runImport(service)
        #expect(again.status == 0 && again.output.contains("1 were changed in the vault since"), "\(again)")
        let after = try await StoredItem.all(service)
        #expect(after.count == 1)
        #expect(try await after.first?.secret(service) == "newer")
    }

    @Test("An older item is saved beside a newer one that is called the same, and is not the same")
    func namesake() async throws {
        let service = try await TestService.withVault()
        let newer = ["label": "Namesake", "secret": "newer", "xdg:schema": "org.example.Schema", "user": "ann"]
        let keyrings = try KeyringFixture([newer])
        #expect(try await keyrings.runImport(service).status == 0)
        try keyrings.directory.write(
            "keyrings/old.keyring",
            """
            [keyring]
            display-name=Old
            ctime=0
            mtime=0
            lock-on-idle=false
            lock-after=false

            [1]
            item-type=0
            display-name=Namesake
            secret=older
            mtime=1614591000
            ctime=1582968600

            [1:attribute0]
            name=user
            type=string
            value=ann

            [1:attribute1]
            name=xdg:schema
            type=string
            value=org.example.Schema

            """)
        let again = try await keyrings.runImport(service)
        #expect(again.status == 0 && again.output.contains("1 item saved"), "\(again)")
        let stored = try await StoredItem.all(service)
        #expect(stored.count == 2 && Set(stored.map(\.attributes)).count == 1, "\(stored)")
        var secrets: Set<String> = []
        for item in stored { secrets.insert(try await item.secret(service)) }
        #expect(secrets == ["newer", "older"])
    }

    @Test("A keyring with another password is opened by it, or by the password in the login keyring")
    func otherPassword() async throws {
        let service = try await TestService.withVault()
        let keyrings = try KeyringFixture([Self.mail], others: Self.work)
        let first = try await keyrings.runImport(service)
        #expect(first.status == 1 && first.output.contains("1 item saved"), "\(first)")
        #expect(
            first.errors.contains(#"The keyring "work" (work.keyring) does not open with this password"#), "\(first)")
        #expect(first.errors.contains("--keyring work"), "\(first)")
        let second = try await keyrings.runImport(service, password: "horse", "--keyring", "work")
        #expect(second.status == 0 && second.output.contains("1 item saved"), "\(second)")
        let chained = try KeyringFixture(
            [["label": "Unlock password for: Work", "secret": "horse", "keyring": "LOCAL:/keyrings/work.keyring"]],
            others: Self.work)
        let third = try await chained.runImport(service)
        #expect(third.status == 0 && third.output.contains("1 item saved"), "\(third)")
        #expect(
            third.output.contains("Work & Co: 1 item\n") && third.output.contains("1 were in the vault"), "\(third)")
    }

    @Test("A dry run shows labels, keyrings and programs, needs no vault and no yes, and never shows a secret")
    func dryRun() async throws {
        let keyrings = try KeyringFixture([Self.mail])
        for more in [[], ["--json"]] {
            let run = try await CommandRun.of(
                ["import", "gnome-keyring", "--dry-run", "--keyrings", keyrings.path, "--keyring-password-fd", "3"]
                    + more,
                inputs: [3: KeyringFixture.password], environment: keyrings.environment)
            #expect(run.status == 0 && run.output.contains("A mail ✉"), "\(run)")
            #expect(
                run.output.contains(more.isEmpty ? "Login: 1 item\n" : #""keyring":"Login","programs":[]"#), "\(run)")
            #expect(!run.output.contains("zebra"), "\(run)")
        }
    }

    @Test("What is too large for a keyring, or is no file, is not read; the others are")
    func noKeyrings() async throws {
        let keyrings = try KeyringFixture([Self.mail])
        let large = keyrings.path + "/large.keyring"
        try keyrings.directory.write("keyrings/large.keyring", "")
        #expect(truncate(large, 64 << 20 + 1) == 0 && mkfifo(keyrings.path + "/pipe.keyring", 0o600) == 0)
        let run = try await CommandRun.of(
            ["import", "gnome-keyring", "--dry-run", "--keyrings", keyrings.path, "--keyring-password-fd", "3"],
            inputs: [3: KeyringFixture.password], environment: keyrings.environment)
        #expect(run.status == 1 && run.output.contains("Login: 1 item\n"), "\(run)")
        #expect(run.errors.contains("large.keyring) has more than 64 MiB"), "\(run)")
        #expect(run.errors.contains("pipe.keyring) is not a plain file"), "\(run)")
    }

    @Test(
        "An item with a reserved attribute is reported, and not saved: it would be taken for the service's own")
    func reserved() async throws {
        let service = try await TestService.withVault()
        let planted = ["label": "Planted", "secret": "zebra-2", "org.freedesktop.Secret.Collection": "a", "user": "a"]
        let keyrings = try KeyringFixture([Self.mail, planted])
        let run = try await keyrings.runImport(service)
        #expect(
            run.status == 1 && run.errors.contains("“Planted” was not saved: it has a reserved attribute"), "\(run)")
        #expect(try await StoredItem.all(service).map(\.label) == ["A mail ✉"])
    }

    @Test("At the terminal the password is not shown, and without a yes nothing is saved")
    func atTerminal() async throws {
        let service = try await TestService.withVault()
        let keyrings = try KeyringFixture([Self.mail])
        for (answer, count) in [("n\n", 0), ("y\n", 1)] {
            let run = try await CommandRun.atTerminal(
                keyrings.arguments(service) + ["--key-file", service.key],
                dialogue: [("for most): ", "login\n"), ("[y/N] ", answer)], environment: keyrings.environment)
            #expect(run.status == (count == 0 ? 1 : 0) && !run.screen.contains("login\r"), "\(run)")
            #expect(run.output.contains("LABEL"), "\(run)")
            #expect(try await StoredItem.all(service).count == count)
        }
    }

    @Test("Each missing or invalid input is reported with its fix, and nothing is saved")
    func refusals() async throws {
        let bare = try await TestService()
        let keyrings = try KeyringFixture([Self.mail])
        let none = try await keyrings.runImport(bare)
        #expect(none.errors.contains("vault-missing") && none.errors.contains("Fix: "), "\(none)")
        let service = try await TestService.withVault()
        let wrong = try await keyrings.runImport(service, password: "Login")
        #expect(wrong.status == 1 && wrong.errors.contains("does not open with this password"), "\(wrong)")
        let unknown = try await keyrings.runImport(service, "--keyring", "none")
        #expect(unknown.status == 66 && unknown.errors.contains("Name one of: login"), "\(unknown)")
        let noTool = try await CommandRun.of(
            keyrings.arguments(service) + ["--yes", "--key-file", service.key, "--keyring-password-fd", "3"],
            inputs: [3: "login"], environment: ["PATH": keyrings.path, "XDG_RUNTIME_DIR": keyrings.runtime])
        #expect(
            noTool.status == 69 && noTool.errors.contains("Fix: Install it: apt install gnome-keyring"), "\(noTool)")
        let empty = try await CommandRun.of(
            ["import", "gnome-keyring", "--dry-run"], environment: ["HOME": keyrings.runtime])
        #expect(empty.status == 66 && empty.errors.contains("There is no keyring in"), "\(empty)")
        #expect(try await service.run("vault", "lock").status == 0)
        let locked = try await CommandRun.of(
            keyrings.arguments(service) + ["--yes", "--keyring-password-fd", "3"], inputs: [3: KeyringFixture.password],
            environment: keyrings.environment)
        #expect(locked.errors.contains("vault-locked") && locked.errors.contains("Fix: "), "\(locked)")
        #expect(try keyrings.leftFolders() == [])
    }

    @Test("A damaged keyring is named, and the others are saved")
    func damaged() async throws {
        let service = try await TestService.withVault()
        let keyrings = try KeyringFixture([Self.mail])
        let whole = try Data(contentsOf: URL(filePath: keyrings.path + "/login.keyring"))
        try whole.prefix(60).write(to: URL(filePath: keyrings.path + "/cut.keyring"))
        try keyrings.directory.write("keyrings/junk.keyring", "no keyring")
        let run = try await keyrings.runImport(service)
        #expect(run.status == 1 && run.output.contains("1 item saved"), "\(run)")
        for name in ["cut", "junk"] {
            #expect(run.errors.contains("The keyring \"\(name)\" (\(name).keyring) is damaged"), "\(run)")
        }
        #expect(run.errors.contains("Fix: Restore it from a backup"), "\(run)")
    }
}

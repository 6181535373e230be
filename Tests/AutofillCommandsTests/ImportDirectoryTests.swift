// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@testable import AutofillCommands

/// With the real daemon, the real converter, and gpg.
@Suite(
    "autofillctl import DIRECTORY", .serialized, .timeLimit(.minutes(3)),
    .enabled(if: TestService.isThere, TestService.absence))
struct ImportDirectoryTests {
    /// A key of the user's, and the files of a store that are encrypted to it.
    private struct Store {
        let keys: String
        let path: String

        /// - Parameter passphrase: of the key; empty for none.
        init(in directory: TemporaryDirectory, passphrase: String = "") throws {
            (keys, path) = (directory.path + "/keys", directory.path + "/store")
            for folder in [keys, path] {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            try "ann@example.com\n".write(toFile: path + "/.gpg-id", atomically: false, encoding: .utf8)
            try gpg(
                "--passphrase", passphrase, "--quick-generate-key", "ann@example.com", "default", "default", "never")
        }

        func gpg(_ arguments: String..., input: String = "") throws {
            let run = try ForeignProgram("gpg", ["--batch", "--quiet"] + arguments, ["GNUPGHOME": keys], input: input)
            #expect(run.status == 0, "\(run.output)")
        }

        func add(_ name: String, _ text: String) throws {
            let file = URL(filePath: "\(path)/\(name).gpg")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try gpg(
                "--trust-model", "always", "--recipient", "ann@example.com", "--output", file.path, "--encrypt",
                input: text)
        }

        func end() { _ = try? ForeignProgram("gpgconf", ["--kill", "all"], ["GNUPGHOME": keys]) }
    }

    private func run(_ service: TestService, _ store: Store) async throws -> CommandRun {
        try await CommandRun.of(
            ["import", store.path, "--yes", "--socket", service.socket, "--key-file", service.key],
            environment: ["GNUPGHOME": store.keys, "PATH": "/usr/bin:/bin"])
    }

    @Test(
        "Of a store of pass each file is decrypted; what is not text, too long or not decrypted is listed",
        .enabled(if: ForeignProgram.isInstalled("gpg"), "needs gpg"))
    func store() async throws {
        let service = try await TestService.withVault()
        let store = try Store(in: service.directory)
        defer { store.end() }
        try store.add("web/shop.example/ann", "p, \"q\"\nnotes: of ann\n")
        try store.add("bank", "secret\nuser: bob\nurl: https://bank.example/\n")
        try store.add("scan", "a\0b")
        try store.add("letters", String(repeating: "x", count: RecordStream.longest + 1))
        try "no such thing".write(toFile: store.path + "/old.gpg", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: store.path + "/gone.gpg", withDestinationPath: "nowhere")
        // What is reached by links, once.
        try FileManager.default.moveItem(atPath: store.path + "/web", toPath: service.directory.path + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: store.path + "/web", withDestinationPath: "../elsewhere")
        try FileManager.default.createSymbolicLink(atPath: store.path + "/itself", withDestinationPath: ".")
        try FileManager.default.moveItem(atPath: store.path, toPath: service.directory.path + "/real")
        try FileManager.default.createSymbolicLink(atPath: store.path, withDestinationPath: "real")
        let made = try await run(service, store)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("2 added, 0 changed, 0 identical, 0 skipped."), "\(made.output)")
        let listed = [
            "scan entry: not text", "letters entry: longer than", "old it cannot be decrypted", "gone it cannot",
        ]
        let words = made.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(listed.allSatisfy(words.contains), "\(made.output)")
        for (site, user, password) in [("shop.example", "ann", "p, \"q\""), ("bank.example", "bob", "secret")] {
            #expect(try await service.proven("get", site, user, "--reveal").output == password + "\n")
        }
    }

    @Test(
        "Where the user does not give the key's passphrase, nothing is imported, and no second prompt comes",
        .enabled(if: ForeignProgram.isInstalled("gpg"), "needs gpg"))
    func cancelled() async throws {
        let service = try await TestService.withVault()
        let store = try Store(in: service.directory, passphrase: "correct horse")
        defer { store.end() }
        try store.add("bank", "secret\nurl: https://bank.example/\n")
        try store.add("shop", "secret\nurl: https://shop.example/\n")
        // A pinentry at which the user cancels.
        let (pinentry, prompts) = (service.directory.path + "/pinentry", service.directory.path + "/prompts")
        try service.directory.write(
            "pinentry",
            """
            #!/bin/sh
            echo OK
            while read -r command rest; do
                case $command in
                    GETPIN) echo >>"\(prompts)"; echo "ERR 83886179 Operation cancelled" ;;
                    BYE) echo OK; exit ;;
                    *) echo OK ;;
                esac
            done
            """)
        chmod(pinentry, 0o700)
        try "pinentry-program \(pinentry)\n".write(
            toFile: store.keys + "/gpg-agent.conf", atomically: false, encoding: .utf8)
        store.end()
        let refused = try await run(service, store)
        #expect(refused.status == 1 && refused.errors.contains("passphrase of your key was not given"))
        #expect(try String(contentsOfFile: prompts, encoding: .utf8) == "\n")
        #expect(try await service.proven("list", "--json").output.contains("bank.example") == false)
    }

    @Test("Of a profile of Chromium the file with the account's own passwords is named, and imported by itself")
    func accountDatabase() async throws {
        let service = try await TestService.withVault()
        let profile = service.directory.path + "/profile"
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        // Passwords in the clear, as versions before 2014 stored them, need no key.
        let script = """
            import sqlite3, sys
            for name, site in (("Login Data", "shop"), ("Login Data For Account", "bank")):
                with sqlite3.connect(f"{sys.argv[1]}/{name}") as db:
                    db.execute("CREATE TABLE logins (origin_url, username_value, password_value)")
                    db.execute("INSERT INTO logins VALUES (?, 'ann', ?)", (f"https://{site}.example/", site.encode()))
            """
        #expect(try ForeignProgram("python3", ["-c", script, profile]).status == 0)
        let first = try await service.proven("import", profile, "--yes")
        #expect(first.status == 0 && first.output.contains("1 added"), "\(first)")
        let words = first.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("autofillctl import '\(profile)/Login Data For Account'"), "\(first.output)")
        let second = try await service.proven("import", profile + "/Login Data For Account", "--yes")
        #expect(second.status == 0 && second.output.contains("1 added"), "\(second)")
        #expect(try await service.proven("get", "bank.example", "ann", "--reveal").output == "bank\n")
    }

    @Test("A profile that a browser is writing is refused, and so is any other directory, with the fix")
    func refused() async throws {
        let service = try await TestService.withVault()
        let directory = service.directory
        for (name, file) in [("chromium", "Login Data"), ("firefox", "key4.db")] {
            try directory.write("\(name)/\(file)", "SQLite format 3\0")
            try directory.write("\(name)/\(file)-journal", "not empty")
            if name == "firefox" { try directory.write("firefox/logins.json", "{}") }
            let used = try await service.proven("import", "\(directory.path)/\(name)", "--yes")
            #expect(used.status == 1 && used.errors.contains("Close the browser"), "\(used.errors)")
        }
        let other = try await service.proven("import", directory.path, "--yes")
        #expect(other.status == 66 && other.errors.contains("about:profiles"), "\(other.errors)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

/// With the real daemon and the real converter.
@Suite(
    "autofillctl import FILE, import undo", .serialized, .timeLimit(.minutes(3)),
    .enabled(if: TestService.isThere, TestService.absence))
struct ImportFileTests {
    private static let chrome = [
        "name,url,username,password,note", #"shop.example,https://shop.example/login,ann,"p, ""q""","#,
        "bank.example,https://bank.example/,ann,secret,a note", "",
    ].joined(separator: "\n")

    private func file(_ text: String, in service: TestService, named name: String = "passwords.csv") throws -> String {
        try service.directory.write(name, text)
        return service.directory.path + "/" + name
    }

    private func password(_ site: String, _ user: String, in service: TestService) async throws -> String {
        try await service.proven("get", site, user, "--reveal").output.trimmed
    }

    @Test("A dry run saves nothing; an import saves all, a second one adds nothing, and undo takes it back")
    func whole() async throws {
        let service = try await TestService.withVault()
        let path = try file(Self.chrome, in: service)
        let dry = try await service.proven("import", path, "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("chrome-csv") && dry.output.contains("Nothing was saved."))
        #expect(try await service.proven("list", "--json").output.contains("shop.example") == false)

        let made = try await service.proven("import", path, "--yes")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("2 added, 0 changed, 0 identical, 0 skipped."))
        #expect(made.output.contains("autofillctl import undo") && made.output.contains("/backups/"))
        #expect(try await password("shop.example", "ann", in: service) == #"p, "q""#)
        #expect(access(path, F_OK) == 0)

        let again = try await service.proven("import", path, "--yes", "--json")
        #expect(again.status == 0 && again.output.contains(#""new":0,"identical":2,"inConflict":0"#))
        let undone = try await service.proven("import", "undo", "--yes")
        #expect(undone.status == 0 && undone.output.contains("2 deleted, 0 restored, 0 changed since and kept."))
        #expect(try await service.proven("list", "--json").output.contains("shop.example") == false)
        let nothing = try await service.proven("import", "undo", "--yes")
        #expect(nothing.status == 0 && nothing.output.contains("no import"))
    }

    @Test("A conflict needs a rule; newer keeps both passwords, and skip keeps the saved one")
    func conflicts() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "bank.example", "ann", "--password-fd", "3", inputs: [3: "mine"])
        let path = try file(Self.chrome, in: service)
        let refused = try await service.proven("import", path, "--yes")
        #expect(refused.status == 64 && refused.errors.contains("--conflicts newer, both or skip"))
        #expect(try await service.proven("list", "--json").output.contains("shop.example") == false)
        let made = try await service.proven("import", path, "--yes", "--conflicts", "newer")
        #expect(made.status == 0 && made.output.contains("1 added, 1 changed, 0 identical, 0 skipped."))
        #expect(try await password("bank.example", "ann", in: service) == "mine")
        let got = try await service.proven("get", "bank.example", "ann", "--reveal", "--json")
        #expect(got.output.contains("secret") && got.output.contains("a note"))
    }

    @Test("Asked at the terminal, the user decides each conflict, and may have the file deleted")
    func dialogue() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "bank.example", "ann", "--password-fd", "3", inputs: [3: "mine"])
        let path = try file(Self.chrome, in: service)
        // The file is deleted, and not the link by which it was named.
        let link = "\(path).link.csv"
        try #require(symlink(path, link) == 0)
        let run = try await CommandRun.atTerminal(
            ["import", link, "--socket", service.socket, "--key-file", service.key],
            dialogue: [
                (shows: "[n/b/s/N/B/S]", type: "b\n"), (shows: "Import 2 entries?", type: "y\n"),
                (shows: "Delete it?", type: "y\n"),
            ])
        #expect(run.status == 0, "\(run.errors) \(run.screen)")
        #expect(run.output.contains("2 added"))
        #expect(access(path, F_OK) != 0 && run.screen.contains("\(path) has your passwords"))
        #expect(try await password("bank.example", "ann", in: service) == "mine")
        #expect(try await password("bank.example", "ann (imported)", in: service) == "secret")
    }

    @Test("A file that is not read completely is refused with its line, and nothing is saved")
    func malformed() async throws {
        let service = try await TestService.withVault()
        let path = try file(Self.chrome + "\"open,https://a.example,ann,p,\n", in: service)
        let run = try await service.proven("import", path, "--yes")
        #expect(run.status == 65 && run.errors.contains("line 4"), "\(run.errors)")
        #expect(try await service.proven("list", "--json").output.contains("shop.example") == false)
        let missing = try await service.proven("import", path + ".none", "--yes")
        #expect(missing.status == 66 && missing.errors.contains("No such file"))
    }

    @Test("What has no place is listed by title and reason")
    func notImported() async throws {
        let service = try await TestService.withVault()
        let path = try file(
            #"""
            {"encrypted": false, "folders": [], "items": [
              {"type": 3, "name": "My card", "card": {"number": "4111"}},
              {"type": 1, "name": "App", "login": {"username": "ann", "password": "p",
               "uris": [{"uri": "androidapp://org.example.app"}]}}]}
            """#, in: service, named: "bitwarden.json")
        let run = try await service.proven("import", path, "--yes")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("My card") && run.output.contains("payment cards are not imported"))
        #expect(run.output.contains("site: kept as a field, and not filled"))
        #expect(run.output.contains("1 added"))
    }

    @Test("The columns of an unknown CSV file are named")
    func columns() async throws {
        let service = try await TestService.withVault()
        let path = try file("Address;Login;Secret\nhttps://a.example;ann;p\n", in: service)
        let refused = try await service.proven("import", path, "--yes")
        #expect(refused.status == 65 && refused.errors.contains("columns"))
        let run = try await service.proven(
            "import", path, "--yes", "--column", "site=Address", "--column", "user=Login", "--column",
            "password=Secret")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await password("a.example", "ann", in: service) == "p")
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed()) }
}

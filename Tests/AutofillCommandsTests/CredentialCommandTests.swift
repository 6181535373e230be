// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AutofillCommands

@Suite("autofillctl save, list, get, delete", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct CredentialCommandTests {
    @Test("A password is saved, shown only with --reveal, and gone after delete")
    func lifecycle() async throws {
        let service = try await TestService.withVault()
        let saved = try await service.proven(
            "save", "Shop.Example.com", "jo", "--password-fd", "3", "--json", inputs: [3: "pass word ä\n"])
        #expect(saved.status == 0 && saved.output.hasPrefix(#"{"credential":"crd_"#))
        let id = try #require(saved.output.split(separator: "\"").first { $0.hasPrefix("crd_") }).description
        let list = try await service.proven("list")
        #expect(list.output.contains("shop.example.com") && list.output.contains("jo") && list.output.contains(id))
        for arguments in [["get", "shop.example.com"], ["get", "shop.example.com", "jo", "--json"]] {
            let run = try await CommandRun.of(arguments + ["--socket", service.socket, "--key-file", service.key])
            #expect(run.status == 0 && run.output.contains("jo") && !run.output.contains("pass word"))
        }
        #expect(try await service.proven("get", "shop.example.com", "--reveal").output == "pass word ä\n")
        let json = try await service.proven("get", "shop.example.com", "--reveal", "--json")
        #expect(json.output.contains(#""password":"pass word ä""#))
        let asked = try await service.proven("delete", id)
        #expect(asked.status == 66 && asked.errors.contains("--yes"))
        let deleted = try await service.proven("delete", id, "--yes")
        #expect(deleted.status == 0)
        #expect(deleted.output == "Deleted jo at shop.example.com. To restore it: autofillctl undelete \(id)\n")
        let gone = try await service.proven("get", "shop.example.com", "--reveal")
        #expect(gone.status == 2 && gone.errors.contains("(credential-not-found)"))
        #expect(try await service.proven("get", "shop.example.com").status == 2)
    }

    @Test("Proof is not to be had by --yes, and a wrong one changes nothing")
    func proof() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        let listed = try await service.proven("list", "--json").output
        let id = try #require(listed.split(separator: "\"").first { $0.hasPrefix("crd_") }).description
        let without = try await service.run("delete", id, "--yes")
        #expect(without.status == 66)
        let wrong = try await service.run("delete", id, "--yes", "--passphrase-fd", "3", inputs: [3: "wrong horse"])
        #expect(wrong.status == 1 && wrong.errors.contains("(proof-wrong)"))
        #expect(try await service.proven("list", "--json").output == listed)
    }

    @Test("A rename keeps the password, names what it changed, and refuses a name that is taken")
    func renamed() async throws {
        let service = try await TestService.withVault()
        for (user, password) in [("jo", "one"), ("al", "two")] {
            _ = try await service.proven("save", "a.example", user, "--password-fd", "3", inputs: [3: password])
        }
        let renamed = try await service.proven("rename", "a.example", "jo", "jo@a.example")
        #expect(renamed.status == 0 && renamed.output == "Renamed jo to jo@a.example.\n")
        #expect(try await service.proven("get", "a.example", "jo@a.example", "--reveal").output == "one\n")
        let taken = try await service.proven("rename", "a.example", "jo@a.example", "al")
        #expect(taken.status == 1 && taken.errors.contains("(credential-taken)"))
        #expect(taken.errors.contains("autofillctl get a.example al"))
        let unknown = try await service.proven("rename", "a.example", "jo", "bo")
        #expect(unknown.status == 2 && unknown.errors.contains("(credential-not-found)"))
        let listed = try await service.proven("get", "a.example", "al", "--json").output
        let id = try #require(listed.split(separator: "\"").first { $0.hasPrefix("crd_") }).description
        #expect(try await service.proven("rename", id, "bo").output == "Renamed \(id) to bo.\n")
        #expect(try await service.proven("get", id, "--reveal").output == "two\n")
    }

    @Test("Saving the same password twice is reported, a new password replaces the old one")
    func twice() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        let same = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        #expect(same.status == 0 && same.output.hasPrefix("unchanged: "))
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "two"])
        #expect(try await service.proven("get", "a.example", "--reveal").output == "two\n")
    }

    @Test("Label, tags and notes are set by save and edit, shown by get, and searched by list")
    func details() async throws {
        let service = try await TestService.withVault()
        let saved = try await service.proven(
            "save", "a.example", "jo", "--password-fd", "3", "--label", "Shop A", "--tag", "work", inputs: [3: "one"])
        #expect(saved.status == 0 && saved.output == "Saved the password of jo at a.example.\n")
        _ = try await service.proven("save", "c.example", "jo", "--password-fd", "3", inputs: [3: "three"])
        let edited = try await service.proven(
            "edit", "a.example", "jo", "--tag", "travel", "--tag", "work", "--notes-fd", "3", "--also-at", "b.example",
            inputs: [3: "first floor\nsecond floor\n"])
        #expect(edited.status == 0 && edited.output == "Changed jo at a.example.\n")
        let shown = try await service.proven("get", "b.example").output
        for line in ["label     Shop A", "also at   b.example", "tags      travel, work"] {
            #expect(shown.contains(line), "\(shown)")
        }
        #expect(!shown.contains("floor"))
        let json = try await service.proven("get", "a.example", "--reveal", "--json").output
        #expect(json.contains(#""notes":"first floor\nsecond floor\n""#) && json.contains(#""tags":["travel","work"]"#))
        let tagged = try await service.proven("list", "--tag", "travel").output
        #expect(tagged.contains("LABEL") && tagged.contains("a.example") && !tagged.contains("c.example"))
        let same = try await service.proven("edit", "a.example", "jo", "--label", "Shop A")
        #expect(same.status == 0 && same.output.hasPrefix("Nothing has changed"))
        _ = try await service.proven("edit", "a.example", "jo", "--no-tags", "--label", "")
        #expect(try await !service.proven("get", "a.example").output.contains("tags"))
        #expect(try await !service.proven("list").output.contains("LABEL"))
        #expect(try await service.proven("edit", "a.example", "eve", "--label", "x").status == 2)
        #expect(try await service.proven("edit", "a.example", "jo").status == 64)
    }

    @Test("Fields and further sites are set and removed by edit; a secret field's value is in no argument")
    func fields() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        let edited = try await service.proven(
            "edit", "a.example", "jo", "--field", "customer=47=11", "--secret-field", "answer", "--secret-field", "PIN",
            "--secret-field-fd", "3", "--also-at", "b.example", "--also-at", "https://localhost:8443", "--also-at",
            "url:tool:x", inputs: [3: "blue\n0815\n"])
        #expect(edited.status == 0 && edited.output == "Changed jo at a.example.\n", "\(edited.errors)")
        func whole() async throws -> String {
            try await service.proven("get", "a.example", "--reveal", "--json").output
        }
        #expect(
            try await whole().contains(
                #""customFields":[{"name":"customer","value":"47=11"},{"name":"answer","value":"blue","secret":true},"#
                    + #"{"name":"PIN","value":"0815","secret":true}]"#))
        let shown = try await service.proven("get", "a.example").output
        for site in ["b.example", "https://localhost:8443", "tool:x"] { #expect(shown.contains("also at   \(site)\n")) }
        #expect(!shown.contains("blue") && !shown.contains("47=11"))
        let asked = try await CommandRun.atTerminal(
            [
                "edit", "a.example", "jo", "--secret-field", "answer", "--no-field", "PIN", "--not-at", "b.example",
                "--not-at", "url:tool:x", "--socket", service.socket, "--key-file", service.key,
            ], dialogue: [("answer: ", "green\n")])
        #expect(asked.status == 0 && !asked.screen.contains("green"), "\(asked.errors)")
        #expect(
            try await whole().contains(
                #""customFields":[{"name":"customer","value":"47=11"},{"name":"answer","value":"green","secret":true}]"#
            ))
        let left = try await service.proven("get", "a.example").output
        #expect(!left.contains("b.example") && left.contains("https://localhost:8443") && !left.contains("tool:x"))
        for (wrong, status) in [
            (["--field", "customer"], 64), (["--secret-field-fd", "3"], 64),
            (["--field", "a=1", "--no-field", "a"], 64),
            (["--no-field", "none"], 2), (["--not-at", "b.example"], 2), (["--not-at", "a.example"], 64),
            (["--also-at", "https://a.example/path"], 64), (["--also-at", "org.example.app/item"], 64),
        ] as [([String], Int32)] {
            let run = try await CommandRun.of(
                ["edit", "a.example", "jo", "--socket", service.socket, "--key-file", service.key] + wrong)
            #expect(run.status == status, "\(wrong): \(run.errors)")
        }
        #expect(try await whole().contains(#""value":"green","secret":true}]"#))
    }

    @Test("A wrong domain is refused before anything is asked")
    func wrongDomain() async throws {
        let service = try await TestService.withVault()
        let run = try await service.run("get", "https://a.example/")
        #expect(run.status == 64 && run.errors.contains("is not a domain"))
    }

    @Test("Only the first line of a descriptor is the password, and an empty one is none")
    func firstLine() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "first\nsecond\n"])
        #expect(try await service.proven("get", "a.example", "--reveal").output == "first\n")
        let empty = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "\n"])
        #expect(empty.status == 64)
        let closed = try await service.proven("save", "a.example", "jo", "--password-fd", "900")
        #expect(closed.status == 66 && closed.errors.contains("not open"))
    }
}

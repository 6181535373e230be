// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite(
    "autofillctl app, grant, explain and suggest", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct AppCommandTests {
    @Test("Every mistake of a registration is printed with its location and fix, with exit status 65")
    func check() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("bad.json", #"{"bundleID": "one", "name": "", "extra": 1}"#)
        let bad = try await CommandRun.of(["app", "check", directory.path + "/bad.json"])
        #expect(bad.status == 65 && bad.output.isEmpty)
        for text in ["bad.json: bundleID: ", "bad.json: name: ", "bad.json: extra: "] {
            #expect(bad.errors.contains(text))
        }
        #expect(bad.errors.split(separator: "\n").filter { $0.hasPrefix("  Fix: ") }.count == 3)
        try directory.write(
            "org.example.Shop.json", Registrations.json("org.example.Shop", domains: ["shop.example.com"]))
        let good = try await CommandRun.of(["app", "check", directory.path + "/org.example.Shop.json"])
        #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty)
        // A file in a directory of registrations has the name of its app.
        try directory.write("my shop.json", Registrations.json("org.example.Shop", domains: ["shop.example.com"]))
        let misnamed = try await CommandRun.of(["app", "check", directory.path + "/my shop.json"])
        #expect(misnamed.status == 0 && misnamed.output.contains("must be named org.example.Shop.json"))
        #expect(misnamed.output.hasSuffix("autofillctl app register '\(directory.path)/my shop.json'\n"))
        #expect(try await CommandRun.of(["app", "check", directory.path + "/none.json"]).status == 66)
    }

    @Test("An app is registered, listed and removed, in the user's own directory")
    func register() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("shop.json", Registrations.json("org.example.Shop", domains: ["shop.example.com"]))
        let environment = ["XDG_DATA_HOME": directory.path + "/share"]
        func run(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(arguments, environment: environment)
        }
        let added = try await run("app", "register", directory.path + "/shop.json")
        #expect(added.status == 0)
        #expect(added.output == "added: \(directory.path)/share/autofilld/apps/org.example.Shop.json\n")
        let again = try await run("app", "register", directory.path + "/shop.json", "--json")
        #expect(again.output.contains(#""change":"unchanged""#))
        let list = try await run("app", "list")
        #expect(list.output.contains("org.example.Shop") && list.output.contains("shop.example.com"))
        #expect(try await run("app", "list", "--json").output.contains(#""bundleID":"org.example.Shop""#))
        try directory.write("share/autofilld/apps/org.example.Bad.json", "{")
        let mistaken = try await run("app", "list")
        #expect(mistaken.status == 65 && mistaken.output == list.output)
        #expect(mistaken.errors.contains("org.example.Bad.json"))
        let json = try await run("app", "list", "--json")
        #expect(json.status == 65 && json.output.contains(#""notes":[],"problems":[{"file":""#) && json.errors.isEmpty)
        #expect(try await run("app", "remove", "org.example.Shop").status == 66)
        #expect(try await run("app", "remove", "org.example.Shop", "--yes").status == 0)
        #expect(try await run("app", "remove", "org.example.Shop", "--yes").status == 2)
    }

    @Test(
        "An app whose programs are not installed causes a note when it is checked and registered, and receives nothing"
    )
    func absent() async throws {
        let service = try await TestService.withVault()
        let program = service.directory.path + "/bin/shop"
        let json = Registrations.json("org.example.Shop", domains: ["shop.example.com"])
            .replacing("\"entitlements\"", with: "\"executables\": [\"\(program)\"], \"entitlements\"")
        try service.directory.write("apps/org.example.Shop.json", json)
        let file = service.registrations + "/org.example.Shop.json"
        let note = "note: executables[0]: There is no \(program) on this machine."
        let checked = try await CommandRun.of(["app", "check", file])
        #expect(checked.status == 0 && checked.output.contains(note))
        let share = ["XDG_DATA_HOME": service.directory.path + "/share"]
        #expect(try await CommandRun.of(["app", "register", file], environment: share).output.contains(note))
        let refused = try await service.proven("grant", "allow", "org.example.Shop", "shop.example.com")
        #expect(refused.status == 1 && refused.errors.contains("(app-not-installed)"))
        #expect(refused.errors.contains(file))

        try service.directory.write("bin/shop", "any")
        #expect(try await CommandRun.of(["app", "check", file]).output.isEmpty)
        #expect(try await service.proven("grant", "allow", "org.example.Shop", "shop.example.com").status == 0)
    }

    @Test("explain works without a service, and prints what it could not check")
    func explainAlone() async throws {
        let directory = try TemporaryDirectory()
        let run = try await CommandRun.of(
            [
                "explain", "org.example.NotSetUp", "--registrations", directory.path, "--socket",
                directory.path + "/none",
            ])
        #expect(run.status == 1)
        #expect(run.output.contains("NO  The app is registered") && run.output.contains("autofillctl app register"))
        #expect(run.output.contains("Not checked: autofilld is not installed"))
        #expect(run.output.contains("The app receives: app-not-registered."))
        #expect(run.errors.isEmpty)
    }

    @Test("explain finds everything in order, and each thing that is not")
    func explain() async throws {
        let service = try await TestService.withVault()
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        func explain(_ domain: String, _ more: [String] = []) async throws -> CommandRun {
            try await CommandRun.of(
                [
                    "explain", "org.example.Shop", "--domain", domain, "--registrations", service.registrations,
                    "--socket",
                    service.socket,
                ] + more)
        }
        let good = try await explain("shop.example.com")
        // The grants are not known.
        #expect(good.status == 0 && !good.output.contains("AutoFill works"))
        #expect(good.output.contains("could not be checked; the others hold."))
        #expect(good.output.contains("shown with proof: add --key-file PATH"))
        let json = try await explain("other.example.com", ["--json"])
        #expect(json.status == 1)
        #expect(
            json.output.hasPrefix(
                #"{"bundleID":"org.example.Shop","domain":"other.example.com","strongPassword":false,"#))
        #expect(json.output.contains(#""reason":"domain-not-associated""#))
        let typo = try await explain("shp.example.com")
        #expect(typo.status == 1 && typo.output.contains("shp.example.com is covered by none of webcredentials:shop"))
        #expect(
            typo.output.contains("Fix: Did you mean: autofillctl explain org.example.Shop --domain shop.example.com "))
        let ungranted = try await explain("shop.example.com", ["--key-file", service.key])
        #expect(!ungranted.output.contains("AutoFill works") && ungranted.output.contains("NO  The user allowed it"))
        #expect(ungranted.status == 1 && ungranted.output.contains("grant allow org.example.Shop shop.example.com"))
        _ = try await service.proven("grant", "allow", "org.example.Shop", "shop.example.com")
        let granted = try await explain("shop.example.com", ["--key-file", service.key])
        #expect(granted.status == 0 && granted.output.contains("grant grt_"))
        try service.directory.write("off.json", #"{"autoFill": false}"#)
        let off = try await explain("shop.example.com", ["--settings", service.directory.path + "/off.json"])
        #expect(off.status == 1 && off.output.contains("NO  AutoFill is on"))
        _ = try await service.run("vault", "lock")
        #expect(try await explain("shop.example.com").output.contains("NO  The vault is open"))
    }

    @Test("At a terminal explain asks for the passphrase, unless it was typed there before; no answer leaves the rest")
    func explainAtTerminal() async throws {
        let service = try await TestService.withVault(passphrase: TestService.passphrase)
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        _ = try await service.proven("grant", "allow", "org.example.Shop", "shop.example.com")
        let arguments = [
            "explain", "org.example.Shop", "--domain", "shop.example.com", "--registrations", service.registrations,
            "--socket", service.socket,
        ]
        let question = "Passphrase of the vault: "
        let run = try await CommandRun.atTerminal(
            arguments, dialogue: [(question, TestService.passphrase + "\n")], printsThere: true,
            shell: #""$@"; "$@"; echo "status $?""#)
        #expect(
            run.screen.split(separator: "grant grt_").count == 3 && run.screen.contains("status 0"), "\(run.screen)")
        #expect(run.screen.ranges(of: question).count == 1)
        let unanswered = try await CommandRun.atTerminal(arguments, dialogue: [(question, "\n")], printsThere: true)
        #expect(unanswered.status == 0 && unanswered.screen.contains("could not be checked"), "\(unanswered.screen)")
    }

    @Test("explain reports what prevents AutoFill for a browser's page and for a credential helper's string")
    func explainElsewhere() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "apps/org.example.Shop.json", Registrations.json("org.example.Shop", domains: ["a.example"]))
        func explain(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(
                ["explain", "org.example.Shop"] + arguments
                    + ["--registrations", directory.path + "/apps", "--socket", directory.path + "/none"])
        }
        let page = try await explain("--origin", "https://shop.example.com")
        #expect(page.status == 1 && page.output.hasPrefix("org.example.Shop at https://shop.example.com\n"))
        #expect(page.output.contains("com.apple.developer.web-browser is not declared in"))
        #expect(page.output.contains("The app receives: browser-entitlement-missing."))
        let opaque = try await explain("--origin", "null", "--json")
        #expect(opaque.status == 1 && opaque.output.contains(#""reason":"origin-opaque""#))
        let plain = try await explain("--origin", "http://news.example", "--json")
        #expect(plain.status == 1 && plain.output.contains(#""reason":"origin-not-secure""#))
        let helper = try await explain("--url", "index.docker.io")
        #expect(helper.status == 1 && helper.output.hasPrefix("org.example.Shop at index.docker.io\n"))
        #expect(helper.output.contains("The app receives: helper-entitlement-missing."))
        for wrong in [["--origin", "https://a.example/path"], ["--origin", "https://a.example", "--url", "x"]] {
            let run = try await CommandRun.of(["explain", "org.example.Shop"] + wrong)
            #expect(run.status == 64 && run.output.isEmpty, "\(wrong)")
        }
    }

    @Test("An invalid service is refused by grant allow and by grant deny; url: accepts any string, for a helper only")
    func grantedServices() async throws {
        let service = try await TestService.withVault()
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        for verb in ["allow", "deny"] {
            for argument in [
                "org.example.Shop/", "/tokens", "no group/tokens", "Shop/tokens", "https://", "url:", "a b",
            ] {
                let run = try await service.proven("grant", verb, "org.example.Shop", argument)
                #expect(run.status == 1 || run.status == 64, "\(verb) \(argument): \(run.output)")
                #expect(!run.errors.isEmpty)
            }
        }
        #expect(try await service.proven("grant", "list").output == "There are no grants and no denials.\n")
        let shop = try await service.proven("grant", "allow", "org.example.Shop", "url:index.docker.io")
        #expect(shop.status == 1 && shop.errors.contains("(helper-entitlement-missing)"), "\(shop.errors)")
    }

    @Test("A grant is created, listed and revoked; without proof nothing changes")
    func grants() async throws {
        let service = try await TestService.withVault()
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        #expect(try await service.run("grant", "allow", "org.example.Shop", "shop.example.com").status == 66)
        let foreign = try await service.proven("grant", "allow", "org.example.Shop", "other.example.com")
        #expect(foreign.status == 1 && foreign.errors.contains("(domain-not-associated)"))
        let allowed = try await service.proven("grant", "allow", "org.example.Shop", "shop.example.com", "--json")
        #expect(allowed.status == 0)
        let id = try #require(allowed.output.split(separator: "\"").first { $0.hasPrefix("grt_") }).description
        let list = try await service.proven("grant", "list")
        #expect(list.output.contains("org.example.Shop") && list.output.contains(id))
        #expect(try await service.proven("grant", "revoke", id).status == 0)
        #expect(try await service.proven("grant", "revoke", id).status == 2)
        #expect(try await service.proven("grant", "list").output == "There are no grants and no denials.\n")
        #expect(try await service.proven("grant", "deny", "org.example.Shop", "org.example.Shop/tokens").status == 0)
        #expect(try await service.proven("grant", "list").output.contains("org.example.Shop/tokens"))
    }

    @Test("suggest shows what an app would be offered, and leaves nothing behind")
    func suggest() async throws {
        let service = try await TestService.withVault()
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        let arguments = [
            "suggest", "--app", "org.example.Shop", "--domain", "shop.example.com", "--socket", service.socket,
        ]
        let offered = try await CommandRun.of(arguments + ["--confirm", "--rules", "required: digit; minlength: 30"])
        #expect(offered.status == 0 && offered.output.contains("offered: a strong password for new, again"))
        #expect(offered.output.contains("30 characters"))
        let shown = try await CommandRun.of(arguments + ["--shown", "--no-username"])
        #expect(shown.status == 1)
        #expect(shown.output.contains("(field-not-secure)") && shown.output.contains("(username-field-missing)"))
        #expect(try await service.run("status", "--json").output.contains(#""pendingOffers":0"#))
        let json = try await CommandRun.of(arguments + ["--json"])
        #expect(json.output.contains(#""type":"strongPassword""#) && !json.output.contains("\"password\""))
    }
}

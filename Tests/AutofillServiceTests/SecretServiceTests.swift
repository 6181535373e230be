// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite(
    "What programs keep through Secret Service",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct SecretServiceTests {
    private typealias Caller = SecretServiceWorld.Caller
    private static let login = ["service": "login", "user": "ann"]
    private static func silently(_ item: String) -> KeychainGet { KeychainGet(.id(item), interaction: .forbid) }

    @Test("An app that nobody names is named after its program, its script, its Flatpak or its registration")
    func naming() throws {
        let shop = """
            {"bundleID": "org.example.Shop", "name": "Shop", "executables": ["/usr/bin/shop"], "entitlements": {}}
            """
        let world = try SecretServiceWorld(["org.example.Shop": shop])
        let daemon = try world.service()
        func greeted(_ caller: Caller) throws -> Hello.Answer {
            let behalf = Hello.OnBehalfOf(evidence: ":1.42")
            return try world.open(daemon, caller)
                .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: behalf), with: world.pidfd).answer()
        }
        let tool = try greeted(Caller("/usr/bin/mail reader"))
        #expect(tool.app.bundleID == "program.mail-reader.499ab683e6e6b140")
        #expect(tool.app.registration == nil && tool.app.assurance == "claimed" && tool.app.reasonNames.isEmpty)
        #expect(tool.capabilities == ["keychain"] && tool.vault == "unlocked")
        #expect(try greeted(Caller("/opt/mail reader")).app.bundleID != tool.app.bundleID)
        let registered = try greeted(Caller("/usr/bin/shop"))
        #expect(registered.app.bundleID == "org.example.Shop" && registered.app.assurance == "installed")
        let python = Caller("/usr/bin/python3.11")
        #expect(try greeted(python.running("/home/a/backup.py")).app.bundleID.hasPrefix("script.backup-py."))
        let tools = Caller("/usr/bin/secret-tool")
        let shell = Caller("/usr/bin/bash")
        #expect(try greeted(tools.started(by: shell)).app.bundleID.hasPrefix("program.bash."))
        #expect(
            try greeted(tools.started(by: shell.running("/home/a/backup.sh"))).app.bundleID.hasPrefix(
                "script.backup-sh."))
    }

    @Test("No other app uses such a name or names the group, and no other delegate leaves the name out")
    func reserved() throws {
        let other = """
            {"bundleID": "org.example.Other", "name": "Other", "executables": [], "entitlements":
             {"keychain-access-groups": ["org.freedesktop.secrets"]}}
            """
        let world = try SecretServiceWorld([
            "org.example.Other": other,
            "org.example.Plain": """
            {"bundleID": "org.example.Plain", "name": "Plain", "executables": [], "entitlements": {}}
            """,
        ])
        let daemon = try world.service()
        for name in ["program.shop.0123456789abcdef", "script.x.y", "Program.x", "org.freedesktop.secrets"] {
            let refusal = try daemon.connect(.plainProcess).refusal(of: Hello(bundleID: name))
            #expect(refusal?.reasons.map(\.reason) == ["parameter-invalid"], "\(name)")
            let behalf = Hello.OnBehalfOf(bundleID: name)
            let spoken = try world.open(daemon, Caller("/usr/bin/a"))
                .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: behalf), with: world.pidfd)
            #expect(try spoken.reasons() == ["parameter-invalid"], "\(name)")
        }
        let secret = try world.connect(daemon, Caller("/usr/bin/a")).keep(Self.login)
        let plain = try daemon.connect(as: "org.example.Plain")
        #expect(
            try plain.reasons(for: KeychainSearch(accessGroup: SecretServiceWorld.group)) == [
                "access-group-not-entitled"
            ])
        #expect(try plain.reasons(for: KeychainGet(.id(secret))) == ["item-not-found"])
        #expect(try plain.answer(to: KeychainSearch(attributes: Self.login)).items.isEmpty)
        // The file that names the group is none.
        #expect(
            try daemon.connect(as: "org.example.Other").reasons(for: KeychainSearch()) == ["registration-invalid"])
        let lesser = try SecretServiceWorld(isEntitled: false)
        let spoken = try lesser.open(try lesser.service(), Caller("/usr/bin/a"))
            .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: .init()), with: lesser.pidfd)
        #expect(try spoken.reasons() == ["parameter-missing"])
    }

    @Test("The bridge's callers have nothing but items by id and attributes")
    func nothingElse() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let app = try world.connect(daemon, Caller("/usr/bin/a"))
        let item = try app.keep(Self.login)
        #expect(try app.reasons(for: KeychainSearch(namespace: "login")) == ["app-not-registered"])
        #expect(
            try app.reasons(for: KeychainRename(.id(item), newPlace: PlaceName(namespace: "a", account: "b")))
                == ["app-not-registered"])
        #expect(try app.reasons(for: SignInStatus()) == ["app-not-registered"])
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["app-not-registered"])
        #expect(try app.reasons(for: KeychainGet(.place(namespace: "a", account: "b"))) == ["parameter-invalid"])
        #expect(try app.reasons(for: KeychainSearch(accessGroup: "a.b")) == ["parameter-invalid"])
        #expect(
            try app.reasons(for: KeychainSet(namespace: "a", account: "b", data: .init(utf8: "x"))) == [
                "parameter-invalid"
            ])
        #expect(try app.answer(to: EventSubscribe()).sequence == 0)
        #expect(try app.secret(item) == "secret")
    }

    @Test("Another's item is returned as what was named, and read with the user's consent for that one item")
    func another() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let maker = try world.connect(daemon, Caller("/usr/bin/maker"))
        let first = try maker.keep(Self.login.merging(["hidden": "code name"]) { $1 }, "one", label: "First")
        let second = try maker.keep(["service": "other"], "two", label: "Second")
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        let found = try #require(try other.found(Self.login).first)
        #expect(found.withheld && found.item == first && found.details.attributes == Self.login)
        #expect(found.details.label == nil && found.version == nil && found.created == nil)
        #expect(try other.found().isEmpty)
        let refusal = try #require(try other.refusal(of: Self.silently(first)))
        #expect(refusal.reasons.map(\.reason) == ["interaction-required"])
        let text = "\(refusal) \(refusal.reasons.map(\.parameters))"
        for name in ["First", "maker", "code name", "hidden"] { #expect(!text.contains(name), "\(text)") }
        let sent = try other.send(KeychainGet(.id(first)))
        let question = try #require(daemon.questions.first).first.description
        #expect(question.contains("“First”, saved by /usr/bin/maker") && question.contains("Program: /usr/bin/other"))
        #expect(question.contains("Through: \(SecretServiceWorld.bridge)") && !question.contains("code name"))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try sent.answer().data.text == "one")
        #expect(try world.connect(daemon, Caller("/usr/bin/other")).secret(first) == "one")
        #expect(try other.reasons(for: Self.silently(second)) == ["interaction-required"])
        // What the one was allowed nobody else was.
        let third = try world.connect(daemon, Caller("/usr/bin/third"))
        #expect(try third.reasons(for: Self.silently(first)) == ["interaction-required"])
        #expect(try maker.secret(first) == "one")
    }

    @Test("What was allowed this once holds for the connection, whatever else is evaluated again meanwhile")
    func evaluatedAgain() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let item = try world.connect(daemon, Caller("/usr/bin/maker")).keep(Self.login, "one")
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        let sent = try other.send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try sent.answer().data.text == "one")
        // With a registration that is new every connection is.
        let text = #"{"bundleID": "org.example.New", "name": "New", "executables": [], "entitlements": {}}"#
        try #require(
            FileManager.default.createFile(
                atPath: "\(world.registrations)/org.example.New.json", contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o644]))
        daemon.clock.advance(milliseconds: 2000)
        _ = try world.connect(daemon, Caller("/usr/bin/third"))
        try daemon.settle()
        #expect(try other.answer(to: Self.silently(item)).data.text == "one")
    }

    @Test("What was allowed for the connection ends with the user's other decision", arguments: [true, false])
    func revoked(isDenied: Bool) throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let item = try world.connect(daemon, Caller("/usr/bin/maker")).keep(Self.login, "one")
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        let sent = try other.send(KeychainRequest(items: [item]))
        try daemon.answer(try #require(daemon.questions.first), isDenied ? .once : .allow)
        #expect(try sent.answer().readable == [item] && other.secret(item) == "one")
        let user = try daemon.user()
        if isDenied {
            let hello: Hello.Answer = try world.open(daemon, Caller("/usr/bin/other"))
                .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: ":1.43")), with: world.pidfd)
                .answer()
            let app = hello.app.bundleID
            let secret = GrantTarget.keychain(.item(item, accessGroup: SecretServiceWorld.group))
            try user.answer(to: GrantDeny(bundleID: app, secret, proof: .test))
        } else {
            let grant = try #require(try user.answer(to: GrantList(proof: .test)).grants.first)
            #expect(try user.answer(to: GrantRevoke(grant: grant.grant, proof: .test)).changed)
        }
        let reason = isDenied ? "grant-denied" : "interaction-required"
        #expect(try other.reasons(for: Self.silently(item)) == [reason])
        #expect(try other.answer(to: KeychainRequest(items: [item], interaction: .forbid)).withheld == [item])
    }

    @Test("Several are asked for at once; the answer holds for the connection, and for good where the user decides so")
    func several() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let maker = try world.connect(daemon, Caller("/usr/bin/maker"))
        let items = try (0..<7).map { try maker.keep(["number": "\($0)"], "secret \($0)", label: "Label \($0)") }
        let single = try world.connect(daemon, Caller("/usr/bin/single")).keep(["number": "7"], label: "Single")
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        let own = try other.keep(["number": "own"])
        let all = items + [single, own, "itm_00000000000000000000000000000000"]
        let silent = try other.answer(to: KeychainRequest(items: all, interaction: .forbid))
        #expect(silent.readable == [own] && silent.withheld == items + [single] && silent.items.map(\.item) == [own])
        var sent = try other.send(KeychainRequest(items: all), in: PageContext(parentWindow: "x11:1"))
        var question = try #require(daemon.questions.first)
        let text = question.first.description
        #expect(
            text.contains("8 secrets") && text.contains("/usr/bin/maker, /usr/bin/single")
                && text.contains("and 3 more"))
        #expect(
            question.first.parentWindow == "x11:1" && question.afterYes?.description.contains("those to come") == true)
        #expect(text.contains("“Label 4”") && !text.contains("Label 5"))
        try daemon.answer(question, .once)
        #expect(try sent.answer().readable == items + [single, own])
        #expect(try other.secret(items[3]) == "secret 3")
        let again = try world.connect(daemon, Caller("/usr/bin/other"))
        #expect(try again.reasons(for: Self.silently(items[3])) == ["interaction-required"])
        sent = try again.send(KeychainRequest(items: all))
        question = try #require(daemon.questions.first)
        try daemon.answer(question, .allow)
        #expect(try sent.answer().withheld.isEmpty)
        // All that the one maker keeps, later ones too; of the other the one item.
        let later = try maker.keep(["number": "8"], "later")
        let third = try world.connect(daemon, Caller("/usr/bin/other"))
        #expect(try third.secret(later) == "later" && third.secret(single) == "secret")
        let more = try world.connect(daemon, Caller("/usr/bin/single")).keep(["number": "9"])
        #expect(try third.reasons(for: Self.silently(more)) == ["interaction-required"])
    }

    @Test("A no to several gives none, and is not asked about again for a while")
    func severalRefused() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let items = try (0..<2).map {
            try world.connect(daemon, Caller("/usr/bin/maker")).keep(["number": "\($0)"])
        }
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        let sent = try other.send(KeychainRequest(items: items))
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try sent.reasons() == ["consent-denied"])
        #expect(try other.reasons(for: KeychainRequest(items: items)) == ["consent-denied"])
        #expect(try other.reasons(for: KeychainGet(.id(items[0]))) == ["consent-denied"])
        #expect(daemon.questions.isEmpty)
    }

    @Test("Another's item is neither replaced nor doubled without the user's consent; one's own may exist twice")
    func neverTwice() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let maker = try world.connect(daemon, Caller("/usr/bin/maker"))
        let item = try maker.keep(Self.login, "one")
        #expect(try maker.keep(Self.login, "two", replace: true) == item)
        for replace in [nil, false, true] {
            let other = try world.connect(daemon, Caller("/usr/bin/other\(replace.map { "\($0)" } ?? "")"))
            let call = other.keeping(Self.login, "mine", replace: replace, interaction: .forbid)
            #expect(try other.reasons(for: call) == ["interaction-required"])
            let sent = try other.send(other.keeping(Self.login, "mine", replace: replace))
            try daemon.answer(try #require(daemon.questions.first), .deny)
            #expect(try sent.reasons() == ["consent-denied"])
            #expect(try other.found().isEmpty)
        }
        #expect(try maker.found(Self.login).count == 1 && maker.secret(item) == "two")
        #expect(try maker.keep(Self.login, "three") != item)
        // What is not just the same is no double.
        let other = try world.connect(daemon, Caller("/usr/bin/more"))
        _ = try other.keep(Self.login.merging(["more": ""]) { $1 }, replace: true)
        let sent = try other.send(other.keeping(Self.login, "mine", replace: true))
        try daemon.answer(try #require(daemon.questions.first), .once)
        let replaced = try sent.answer().item
        // It stays its maker's.
        let again = try world.connect(daemon, Caller("/usr/bin/maker"))
        #expect(try again.secret(replaced) == "mine")
    }

    @Test("What has the schema of items without one is replaced by an item without one, and by none of another schema")
    func genericSchema() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let maker = try world.connect(daemon, Caller("/usr/bin/maker"))
        func keep(_ secret: String, schema: String?) throws -> String {
            let attributes = schema.map { Self.login.merging(["xdg:schema": $0]) { $1 } } ?? Self.login
            return try maker.keep(attributes, secret, replace: true)
        }
        let other = try keep("other", schema: "org.example.Login")
        let taken = try keep("one", schema: "org.freedesktop.Secret.Generic")
        #expect(try keep("two", schema: nil) == taken && taken != other)
        #expect(try maker.found(Self.login).count == 2 && maker.secret(taken) == "two")
    }

    @Test("A user's program that has changed is asked about once, and finds what it kept before")
    func changed() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let path = "/home/a/bin/app"
        let old = try world.connect(daemon, Caller(usersOwn: path))
        let items = try (0..<3).map { try old.keep(["number": "\($0)"], "secret \($0)") }
        let new = try world.connect(daemon, Caller(usersOwn: path, content: 2))
        #expect(Set(try new.found().map(\.item)) == Set(items))
        #expect(try new.found().allSatisfy { $0.withheld && $0.details.attributes?.isEmpty != false })
        let sent = try new.send(KeychainGet(.id(items[0])))
        #expect(daemon.questions.first?.first.description.contains(path) == true)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try sent.answer().data.text == "secret 0")
        #expect(try items.map(new.secret) == ["secret 0", "secret 1", "secret 2"])
        // The consent for the new version is for no other program.
        let copy = try world.connect(daemon, Caller(usersOwn: "/home/a/bin/copy", content: 2))
        #expect(try copy.found().isEmpty && copy.reasons(for: Self.silently(items[0])) == ["interaction-required"])
    }

    @Test("A script's items are its own with the user's consent, once a login, also in the next one")
    func script() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        var python = Caller("/usr/bin/python3.11").running("/home/a/backup.py")
        let first = try world.connect(daemon, python)
        let item = try first.keep(Self.login, "one")
        #expect(try first.secret(item) == "one")
        for login in ["boot/session", "boot/later"] {
            python.evidence.login = login
            let again = try world.connect(daemon, python)
            #expect(try again.reasons(for: Self.silently(item)) == ["interaction-required"])
            #expect(try again.answer(to: KeychainRequest(items: [item], interaction: .forbid)).withheld == [item])
            let sent = try again.send(KeychainGet(.id(item)))
            #expect(daemon.questions.first?.first.description.contains("running /home/a/backup.py") == true)
            try daemon.answer(try #require(daemon.questions.first), .login)
            #expect(try sent.answer().data.text == "one")
            #expect(try world.connect(daemon, python).secret(item) == "one")
        }
        // What was asked for several is asked once, and is about what is its own.
        python.evidence.login = "boot/last"
        let last = try world.connect(daemon, python)
        let sent = try last.send(KeychainRequest(items: [item]))
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try daemon.questions.isEmpty && sent.answer().readable == [item])
        // Another script of the same interpreter.
        let other = try world.connect(daemon, Caller("/usr/bin/python3.11").running("/home/a/other.py"))
        #expect(try other.found().isEmpty && other.found(Self.login).map(\.withheld) == [true])
    }

    @Test("With isolation off everything is everybody's, and each release is on record")
    func open() throws {
        let world = try SecretServiceWorld()
        var settings = DaemonSettings()
        settings.secretServiceIsolation = .none
        let daemon = try world.service(settings: settings)
        let item = try world.connect(daemon, Caller("/usr/bin/maker")).keep(Self.login, "one")
        let other = try world.connect(daemon, Caller("/usr/bin/other"))
        #expect(try other.found().map(\.item) == [item] && other.found(Self.login).map(\.withheld) == [false])
        #expect(try other.secret(item) == "one")
        #expect(try other.keep(Self.login, "two", replace: true) == item)
        let user = try daemon.user()
        let record = try user.answer(to: ReleaseList(proof: .test)).releases
        #expect(record.contains { $0.object == item && $0.bundleID.hasPrefix("program.other.") })
    }

    @Test("The programs of a family have each other's items of its schemas, and no others")
    func family() throws {
        let world = try SecretServiceWorld()
        world.addFamily("org.example.Network", "/usr/bin/editor", "/usr/bin/agent")
        let daemon = try world.service()
        let editor = try world.connect(daemon, Caller("/usr/bin/editor"))
        let shared = try editor.keep(["xdg:schema": "org.example.Network", "id": "1"], "one")
        let own = try editor.keep(["xdg:schema": "org.example.Editor", "id": "1"], "two")
        let agent = try world.connect(daemon, Caller("/usr/bin/agent"))
        #expect(try agent.secret(shared) == "one")
        #expect(try agent.keep(["xdg:schema": "org.example.Network", "id": "1"], "three", replace: true) == shared)
        #expect(try editor.secret(shared) == "three")
        #expect(try agent.reasons(for: Self.silently(own)) == ["interaction-required"])
        let stranger = try world.connect(daemon, Caller("/usr/bin/stranger"))
        #expect(try stranger.reasons(for: Self.silently(shared)) == ["interaction-required"])
        // A program of the user's at such a path is none of them.
        let posing = try world.connect(daemon, Caller(usersOwn: "/usr/bin/agent"))
        #expect(try posing.reasons(for: Self.silently(shared)) == ["interaction-required"])
    }

    @Test("What a stranger keeps under a family's schema is no member's own, and takes nothing of theirs unasked")
    func planted() throws {
        let world = try SecretServiceWorld()
        world.addFamily("org.example.Network", "/usr/bin/editor", "/usr/bin/agent")
        let daemon = try world.service()
        let attributes = ["xdg:schema": "org.example.Network", "id": "1"]
        let stranger = try world.connect(daemon, Caller("/usr/bin/stranger"))
        let planted = try stranger.keep(attributes, "known")
        let agent = try world.connect(daemon, Caller("/usr/bin/agent"))
        #expect(try agent.reasons(for: Self.silently(planted)) == ["interaction-required"])
        let kept = agent.keeping(attributes, "wifi", replace: true, interaction: .forbid)
        #expect(try agent.reasons(for: kept) == ["interaction-required"])
        #expect(try stranger.secret(planted) == "known")
        // What was taken over is theirs.
        let user = try daemon.user()
        let imported = try user.answer(
            to: KeychainSet(
                .attributes(accessGroup: SecretServiceWorld.group),
                details: ItemDetails(
                    attributes: ["xdg:schema": "org.example.Network", "id": "2"], label: "Old", collection: "login"),
                data: SecretBytes(utf8: "old"), proof: .test)
        ).item
        #expect(try agent.secret(imported) == "old")
    }

    @Test("What is taken over is nobody's until it is granted: an item, or all of it, to a program by its path")
    func takenOver() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let user = try daemon.user()
        let times = ItemTimes(created: "2020-02-29T09:30:00.000Z", modified: "2021-03-01T00:00:00.001Z")
        let items = try (0..<2).map { number in
            try user.answer(
                to: KeychainSet(
                    .attributes(accessGroup: SecretServiceWorld.group),
                    details: ItemDetails(
                        attributes: ["number": "\(number)"], label: "Old", contentType: "text/plain",
                        collection: "login"),
                    data: SecretBytes(utf8: "old \(number)"), times: times, proof: .test)
            ).item
        }
        let program = Caller("/usr/bin/mail")
        let mail = try world.connect(daemon, program)
        #expect(try mail.found(["number": "0"]).map(\.withheld) == [true] && mail.found().isEmpty)
        #expect(try mail.reasons(for: Self.silently(items[0])) == ["interaction-required"])
        func allow(_ name: String, _ path: String = "/usr/bin/mail") throws -> GrantAllow.Answer {
            let items = try #require(GrantedItems(path: "org.freedesktop.secrets/\(name)"))
            return try user.answer(to: GrantAllow(.program(path: path), .keychain(items), proof: .test))
        }
        let granted = try #require(try allow(items[0]).grants.first)
        #expect(granted.executable == "via:\(SecretServiceWorld.bridge) path:/usr/bin/mail")
        let read = try mail.answer(to: KeychainGet(.id(items[0])))
        #expect(read.data.text == "old 0" && read.summary.created == times.created)
        #expect(read.summary.modified == times.modified && read.summary.details.contentType == "text/plain")
        #expect(try mail.reasons(for: Self.silently(items[1])) == ["interaction-required"])
        // By a link that leads to it as well.
        #expect(try allow(items[1], "/bin/mail").grants.first?.executable == granted.executable)
        #expect(try mail.secret(items[1]) == "old 1")
        _ = try allow("imported", "/usr/bin/other")
        #expect(try world.connect(daemon, Caller("/usr/bin/other")).secret(items[1]) == "old 1")
        #expect(throws: (any Error).self) { try allow("imported", "/usr/bin/python3.11") }
        // Only with proof is an item of before.
        var own = mail.keeping(["number": "2"])
        own = KeychainSet(own.target, details: own.details, data: own.data, times: times)
        #expect(try mail.reasons(for: own) == ["parameter-invalid"])
    }
}

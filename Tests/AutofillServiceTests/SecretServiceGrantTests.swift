// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite(
    "Grants of what programs keep through Secret Service",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct SecretServiceGrantTests {
    @Test("A search without attributes finds what the program stored itself, and not what it was allowed to read")
    func searchForAll() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let item = try world.connect(daemon, SecretServiceWorld.Caller("/usr/bin/maker")).keep(["made": "one"], "one")
        let reader = try world.connect(daemon, SecretServiceWorld.Caller("/usr/bin/reader"))
        let own = try reader.keep(["made": "two"], "two")
        let sent = try reader.send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try sent.answer().data.text == "one")
        #expect(try reader.found(["made": "one"]).map(\.withheld) == [false])
        #expect(try reader.found().map(\.item) == [own])
    }

    @Test("What is allowed to an app without a registration is for its sandbox, not for a unit of that name")
    func granted() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let user = try daemon.user()
        let item = try user.answer(
            to: KeychainSet(
                .attributes(accessGroup: SecretServiceWorld.group),
                details: ItemDetails(attributes: ["app_id": "org.example.Flat"], collection: "login"),
                data: SecretBytes(utf8: "known"), proof: .test)
        ).item
        let secret = GrantedItems.item(item, accessGroup: SecretServiceWorld.group)
        try user.answer(to: GrantAllow(.app(bundleID: "org.example.Flat"), .keychain(secret), proof: .test))
        var named = SecretServiceWorld.Caller("/usr/bin/java").started(
            by: SecretServiceWorld.Caller("/usr/bin/gnome-shell"))
        let unit = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Flat-12.scope\n"
        named.evidence.controlGroup = ControlGroup(procFile: Array(unit.utf8))
        let program = try world.open(daemon, named)
        let greeted = try program.send(
            Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: ":1.42")), with: world.pidfd
        ).answer()
        #expect(greeted.app.bundleID == "org.example.Flat")
        #expect(try program.reasons(for: KeychainGet(.id(item), interaction: .forbid)) == ["interaction-required"])
        var boxed = SecretServiceWorld.Caller("/app/bin/flat")
        boxed.evidence.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Flat"), .deployed(installation: "system", files: "/f"))
        (boxed.evidence.mountNamespaceDiffers, boxed.evidence.isApart) = (true, true)
        #expect(try world.connect(daemon, boxed).secret(item) == "known")
    }

    @Test("What the user has denied for good is refused and not asked about: an item, or all that a program keeps")
    func denied() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        func app(_ path: String) throws -> String {
            let hello: Hello.Answer = try world.open(daemon, SecretServiceWorld.Caller(path))
                .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: ":1.43")), with: world.pidfd)
                .answer()
            return hello.app.bundleID
        }
        let maker = try world.connect(daemon, SecretServiceWorld.Caller("/usr/bin/maker"))
        let item = try maker.keep(["number": "1"])
        let denied: [(String, GrantedItems)] = [
            ("/usr/bin/one", .item(item, accessGroup: SecretServiceWorld.group)),
            ("/usr/bin/another", .app(try app("/usr/bin/maker"))),
        ]
        // What was allowed for one of its items before does not hold against that.
        let one = GrantAllow(
            .app(bundleID: try app("/usr/bin/another")), .keychain(.item(item, accessGroup: SecretServiceWorld.group)),
            proof: .test)
        try daemon.user().answer(to: one)
        for (path, items) in denied {
            let denial = GrantDeny(bundleID: try app(path), .keychain(items), proof: .test)
            try daemon.user().answer(to: denial)
            let program = try world.connect(daemon, SecretServiceWorld.Caller(path))
            #expect(try program.reasons(for: KeychainGet(.id(item))) == ["grant-denied"])
            #expect(try program.answer(to: KeychainRequest(items: [item])).withheld == [item])
            #expect(daemon.questions.isEmpty)
        }
    }
}

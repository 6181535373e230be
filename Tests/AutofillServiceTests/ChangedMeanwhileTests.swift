// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Credentials
import EventLoop
import Foundation
import Glibc
import Prompting
import Settings
import Support
import TestGround
import Testing

/// While a request waits, what it rests on becomes another.
@Suite("What changes while a request waits")
struct ChangedMeanwhileTests {
    private func field(_ id: String, _ type: String, _ value: String) -> [String: Any] {
        ["id": id, "contentType": type, "secure": type == "password", "value": value]
    }

    private func submission(_ fields: [[String: Any]]) -> [String: Any] {
        ["service": Examples.shop, "fields": fields]
    }

    private func asking() throws -> (TestService, ServiceConnection) {
        var settings = DaemonSettings()
        settings.saveSubmitted = .ask
        let daemon = try TestService(consent: .person, settings: settings)
        let shop = daemon.connect()
        try shop.hello()
        return (daemon, shop)
    }

    private func saved(_ user: String, _ daemon: TestService) throws -> String? {
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        return try person.call(
            "credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof]
        ).text("password")
    }

    @Test("A yes to saving for one user saves for no other, though the form's user has become another")
    func anotherUser() throws {
        let (daemon, shop) = try asking()
        _ = try shop.call("autofill.submitted", submission([field("mail", "username", "alice")]))
        _ = try shop.send("autofill.submitted", submission([field("pw", "password", "secret")]), id: 2)
        let asked = try #require(daemon.questions.first)
        #expect(asked.first.description.contains("alice"))
        _ = try shop.call("autofill.submitted", submission([field("mail", "username", "bob")]))
        try daemon.answer(asked, .once)
        #expect(try saved("bob", daemon) == nil)
        let again = try #require(daemon.questions.first)
        #expect(again.first.description.contains("bob"))
        try daemon.answer(again, .deny)
        #expect(try saved("bob", daemon) == nil)
    }

    @Test("A yes to saving something new does not replace what has been saved meanwhile")
    func replacing() throws {
        let (daemon, shop) = try asking()
        let fields = [field("mail", "username", "alice"), field("pw", "password", "typed")]
        _ = try shop.send("autofill.submitted", submission(fields), id: 2)
        let asked = try #require(daemon.questions.first)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "alice", "password": "older", "proof": Examples.proof])
        try daemon.answer(asked, .once)
        #expect(try saved("alice", daemon) == "older")
        #expect(daemon.questions.first?.first.description.contains("takes the place") == true)
    }

    @Test("A user name of a first page serves one second page")
    func firstPageServesOnce() throws {
        var settings = DaemonSettings()
        settings.saveSubmitted = .always
        let daemon = try TestService(settings: settings)
        let shop = daemon.connect()
        try shop.hello()
        let second = submission([field("pw", "password", "one")])
        try shop.call("autofill.submitted", submission([field("mail", "username", "alice")]))
        #expect(try shop.call("autofill.submitted", second).text("outcome") == "saved")
        try shop.call(
            "autofill.submitted", submission([field("mail", "username", "bob"), field("pw", "password", "two")]))
        let third = try shop.call("autofill.submitted", submission([field("pw", "password", "three")]))
        #expect(third.text("outcome") == "nothing", "both are known, and neither was named")
        #expect(try saved("alice", daemon) == "one")
    }

    @Test("A change of a setting whose asker goes is in force as it stands in the file")
    func cancelledSetting() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        let daemon = try TestService(
            settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()), hasThreads: true)
        let control = daemon.connect()
        try control.hello("org.autofilld.autofillctl")
        let change: [String: Any] = ["setting": "logLevel", "value": "debug"]
        let client = control.client
        let line = Array(try ServiceConnection.line("admin.setting.set", change).utf8)
        daemon.engine.assumeIsolated { engine in
            line.withUnsafeBytes { engine.receive($0, from: client) }
            engine.disconnect(client)
        }
        try daemon.settle()
        let text = (try? String(contentsOfFile: user, encoding: .utf8)) ?? ""
        #expect(text.contains("debug") == (daemon.settings.logLevel == .debug))
    }

    @Test("A hash is not kept where the person has taken their word back while it was made")
    func deniedWhileHashing() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        let owner = daemon.connect(.process(path: "/home/user/app1", inode: 1))
        let other = daemon.connect(.process(path: "/home/user/app2", inode: 2))
        for connection in [owner, other] { try connection.hello() }
        let account: [String: Any] = ["service": "login", "account": "ann"]
        #expect(try owner.call("verifier.set", account.merging(["password": "one"]) { $1 }).error == nil)
        let hash = try owner.call("admin.verifier.export", account).text("hash")
        let set = try ServiceConnection.line("verifier.set", account.merging(["password": "two"]) { $1 }, id: 4)
        let work = try #require(try daemon.begin(set, other))
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let service: [String: Any] = ["type": "keychain", "value": "org.example.Shop/login"]
        let denied = try person.call(
            "admin.grant.deny", ["bundleID": "org.example.Shop", "service": service, "proof": Examples.proof])
        #expect(denied.error == nil)
        #expect(try daemon.finish(work, other).map { try TestAnswer($0).reasons } == [["grant-denied"]])
        #expect(try owner.call("admin.verifier.export", account).text("hash") == hash)
    }

    @Test("A service that was closed keeps neither its loop nor its descriptors")
    func closed() throws {
        weak var loop: EventLoop?
        do {
            let daemon = try TestService(consent: .person)
            let shop = daemon.connect()
            try shop.hello()
            _ = try shop.send("credential.get", ["service": Examples.shop])
            #expect(!daemon.questions.isEmpty, "it waits")
            loop = daemon.engine.loop
        }
        #expect(loop == nil)
    }
}

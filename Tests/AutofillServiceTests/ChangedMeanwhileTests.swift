// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Credentials
import EventLoop
import Foundation
import Glibc
import Prompting
import SecretMemory
import Settings
import Support
import TestGround
import Testing

/// While a request waits, what it rests on becomes another.
@Suite("What changes while a request waits")
struct ChangedMeanwhileTests {
    private func field(_ id: String, _ type: String, _ value: String) -> FieldDescription {
        FieldDescription(id: id, contentType: type, isSecure: type == "password", value: SecretBytes(utf8: value))
    }

    /// The first page of two.
    private func name(_ user: String, _ shop: ServiceConnection) throws {
        try shop.answer(
            to: AutofillSubmit(service: .shop, form: FormDescription([field("mail", "username", user)])))
    }

    private func asking() throws -> (TestService, ServiceConnection) {
        var settings = DaemonSettings()
        settings.saveSubmitted = .ask
        let daemon = try TestService(consent: .user, settings: settings)
        let shop = daemon.connect()
        try shop.greet()
        return (daemon, shop)
    }

    private func saved(_ name: String, _ daemon: TestService) throws -> String? {
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        return try? user.answer(to: CredentialGet(service: .shop, user: name, proof: .test)).password.text
    }

    @Test("A yes to saving for one user saves for no other, though the next form's user is another")
    func anotherUser() throws {
        let (daemon, shop) = try asking()
        try name("alice", shop)
        let sent = try shop.send(try shop.submission(of: FormDescription([field("pw", "password", "secret")])))
        let asked = try #require(daemon.questions.first)
        #expect(asked.first.description.contains("alice"))
        try name("bob", shop)
        try daemon.answer(asked, .once)
        #expect(try sent.answer().outcome == "saved" && saved("alice", daemon) == "secret")
        #expect(try saved("bob", daemon) == nil && daemon.questions.isEmpty)
    }

    @Test("A yes to saving something new does not replace what has been saved meanwhile")
    func replacing() throws {
        let (daemon, shop) = try asking()
        let fields = [field("mail", "username", "alice"), field("pw", "password", "typed")]
        _ = try shop.send(try shop.submission(of: FormDescription(fields)))
        let asked = try #require(daemon.questions.first)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "alice", password: SecretBytes(utf8: "older"), proof: .test))
        try daemon.answer(asked, .once)
        #expect(try saved("alice", daemon) == "older")
        #expect(daemon.questions.first?.first.description.contains("replaces the password") == true)
    }

    @Test("A user name of a first page serves one second page")
    func firstPageServesOnce() throws {
        var settings = DaemonSettings()
        settings.saveSubmitted = .always
        let daemon = try TestService(settings: settings)
        let shop = daemon.connect()
        try shop.greet()
        func submit(_ fields: FieldDescription...) throws -> AutofillConfirm.Answer {
            try shop.answer(to: try shop.submission(of: FormDescription(fields)))
        }
        try name("alice", shop)
        // The site refuses the first password.
        let refused = try shop.submission(of: FormDescription([field("pw", "password", "wrong")]))
        try shop.answer(to: AutofillWithdraw(submission: refused.submission))
        #expect(try submit(field("pw", "password", "one")).outcome == "saved")
        #expect(try submit(field("mail", "username", "bob"), field("pw", "password", "two")).outcome == "saved")
        let third = try submit(field("pw", "password", "three"))
        #expect(third.outcome == "nothing", "both are known, and neither was named")
        #expect(try saved("alice", daemon) == "one")
    }

    @Test("A change of a setting whose requester disconnects is in force as it is in the file")
    func cancelledSetting() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        let daemon = try TestService(
            settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()), hasThreads: true)
        let control = daemon.connect()
        try control.greet(as: "org.autofilld.autofillctl")
        var change = JSONWriter()
        change.request(.number(1), SettingSet(setting: "logLevel", value: .string("debug")))
        let line = change.withUnsafeBytes { Array($0.dropLast()) }
        daemon.engine.assumeIsolated { [client = control.client] engine in
            _ = line.withUnsafeBytes { engine.receive($0, from: client) }
            engine.disconnect(client)
        }
        try daemon.settle()
        let text = (try? String(contentsOfFile: user, encoding: .utf8)) ?? ""
        #expect(text.contains("debug") == (daemon.settings.logLevel == .debug))
    }

    @Test("A hash is not kept where the user withdrew their consent while it was made")
    func deniedWhileHashing() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        let owner = daemon.connect(.process(path: "/home/user/app1", inode: 1))
        let other = daemon.connect(.process(path: "/home/user/app2", inode: 2))
        for connection in [owner, other] { try connection.greet() }
        func set(_ password: String) -> VerifierSet {
            VerifierSet(namespace: "login", account: "ann", password: SecretBytes(utf8: password))
        }
        let export = VerifierExport(namespace: "login", account: "ann")
        try owner.answer(to: set("one"))
        let hash = try owner.answer(to: export).hash
        let (second, work) = try daemon.begin(set("two"), other)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let items = GrantTarget.keychain(.namespace("login", accessGroup: "org.example.Shop"))
        try user.answer(to: GrantDeny(bundleID: "org.example.Shop", items, proof: .test))
        try daemon.finish(try #require(work))
        #expect(try second.reasons() == ["grant-denied"])
        #expect(try owner.answer(to: export).hash.text == hash.text)
    }

    @Test("A service that was closed keeps neither its loop nor its descriptors")
    func closed() throws {
        weak var loop: EventLoop?
        do {
            let daemon = try TestService(consent: .user)
            let shop = daemon.connect()
            try shop.greet()
            _ = try shop.send(CredentialGet(service: .shop))
            #expect(!daemon.questions.isEmpty, "it waits")
            loop = daemon.engine.loop
        }
        #expect(loop == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("Events")
struct EventTests {
    private func connect(
        _ daemon: TestService, as app: String = "org.example.Shop", subscribes: Bool = true
    ) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        if subscribes { #expect(try connection.call("event.subscribe").error == nil) }
        return connection
    }

    private func events(_ lines: [String]) throws -> [[String: Any]] {
        try lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["method"] as? String == "event" ? object?["params"] as? [String: Any] : nil
        }
    }

    private func types(_ connection: ServiceConnection) throws -> [String] {
        try events(connection.received()).compactMap { $0["type"] as? String }
    }

    @Test("The subscription gives the state, and each event the next number of the same epoch")
    func sequence() throws {
        let daemon = try TestService()
        let shop = try connect(daemon, subscribes: false)
        let answer = try shop.call("event.subscribe")
        let epoch = try #require(answer.text("epoch"))
        #expect(answer.result?["sequence"] as? Int == 0)
        #expect((answer.result?["state"] as? [String: Any])?["vault"] as? String == "unlocked")
        let other = try connect(daemon, as: "org.example.NotSetUp", subscribes: false)
        for _ in 0..<2 {
            try other.call("admin.vault.lock")
            try other.call("vault.unlock", Examples.proof)
        }
        let events = try events(shop.received())
        #expect(
            events.map { $0["type"] as? String } == ["vaultLocked", "vaultUnlocked", "vaultLocked", "vaultUnlocked"])
        #expect(events.map { $0["sequence"] as? Int } == [1, 2, 3, 4])
        #expect(events.allSatisfy { $0["epoch"] as? String == epoch && $0["causedBy"] == nil })
        #expect(events.first?["cause"] as? String == "request")
        #expect(try shop.call("event.subscribe").result?["sequence"] as? Int == 4)
        #expect(try connect(TestService(), subscribes: false).call("event.subscribe").text("epoch") != epoch)
    }

    @Test("The event of one's own change comes after its answer and names the request")
    func causedBy() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon))
        let lines = try shop.exchange(
            #"{"jsonrpc":"2.0","id":"mine","method":"credential.save","params":{"service":{"type":"domain","value":"#
                + #""shop.example.com"},"user":"ann@example.com","password":"correct horse"}}"#)
        #expect(lines.count == 2 && lines[0].contains(#""changed":true"#))
        let own = try #require(try events(lines).first)
        #expect(own["type"] as? String == "credentialsChanged" && own["causedBy"] as? String == "mine")
        let theirs = try #require(try events(other.received()).first)
        #expect(theirs["causedBy"] == nil && theirs["credential"] as? String == own["credential"] as? String)
        #expect(theirs["change"] as? String == "saved")
        for line in lines { #expect(!line.contains("ann@") && !line.contains("correct horse")) }
    }

    @Test("A password that was typed and saved is told like any other save, and one that is there already is not")
    func submitted() throws {
        var settings = DaemonSettings()
        settings.saveSubmitted = .always
        let daemon = try TestService(settings: settings)
        let (shop, other) = (try connect(daemon), try connect(daemon))
        let fields: [[String: Any]] = [
            ["id": "mail", "contentType": "username", "value": "ann"],
            ["id": "new", "contentType": "newPassword", "secure": true, "value": "typed by hand"],
        ]
        let submission: [String: Any] = ["service": Examples.shop, "fields": fields]
        let saved = try shop.call("autofill.submitted", submission)
        #expect(saved.text("outcome") == "saved")
        let event = try #require(try events(other.received()).first)
        #expect(event["type"] as? String == "credentialsChanged" && event["change"] as? String == "saved")
        #expect(event["credential"] as? String == saved.text("credential"))
        #expect(try shop.call("autofill.submitted", submission).text("outcome") == "unchanged")
        #expect(try types(other).isEmpty)
    }

    @Test("An app hears of its own services alone, of what it may have there, and the command hears no site")
    func entitlement() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, as: "org.example.NotSetUp"))
        let control = try connect(daemon, as: "org.autofilld.autofillctl")
        let silent = try connect(daemon, subscribes: false)
        let writer = daemon.connect()
        try writer.hello("org.autofilld.autofillctl")
        func save(_ password: String) throws {
            for service in [Examples.shop, Examples.bank] {
                try writer.call(
                    "credential.save",
                    ["service": service, "user": "ann", "password": password, "proof": Examples.proof])
            }
        }
        try save("secret")
        #expect(try types(shop).isEmpty, "that a domain is declared is no leave to know what is saved there")
        #expect(try events(control.received()).count == 2)
        try writer.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        try save("another")
        #expect(try types(shop) == ["credentialsChanged"])
        #expect(try types(other).isEmpty)
        #expect(silent.received().isEmpty)
        let heard = try events(control.received())
        #expect(heard.count == 2)
        #expect(heard.allSatisfy { Set($0.keys) == ["type", "epoch", "sequence", "at"] })
    }

    @Test("Saving, accepting and deleting are changes; repeating them is none")
    func changes() throws {
        let daemon = try TestService()
        let (shop, listener) = (try connect(daemon, subscribes: false), try connect(daemon))
        let suggested = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": Examples.signUp])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        var credential: String?
        for _ in 0..<2 {
            credential = try shop.call("autofill.accept", ["offer": offer, "user": "ann"]).text("credential")
        }
        for _ in 0..<2 { try shop.call("credential.delete", ["credential": try #require(credential)]) }
        let heard = try events(listener.received())
        #expect(heard.map { $0["change"] as? String } == ["saved", "deleted"])
        #expect(heard.allSatisfy { $0["credential"] as? String == credential })
    }

    @Test("A changed setting reaches the apps that it decides about, and its name the command")
    func settings() throws {
        let daemon = try TestService()
        let (shop, control) = (try connect(daemon), try connect(daemon, as: "org.autofilld.autofillctl"))
        func set(_ setting: String, _ value: Any, app: String? = nil) throws {
            var change: [String: Any] = ["setting": setting, "value": value, "proof": Examples.proof]
            change["app"] = app
            let lines = try control.exchange(
                String(
                    decoding: try JSONSerialization.data(
                        withJSONObject: ["jsonrpc": "2.0", "id": 9, "method": "admin.setting.set", "params": change]),
                    as: UTF8.self))
            let event = try #require(try events(lines).first)
            #expect(event["causedBy"] as? Int == 9)
            #expect(event["changed"] as? [String] == [app == nil ? setting : "strongPasswordsByApp"])
        }
        try set("logLevel", "debug")
        try set("strongPasswords", false, app: "org.example.Bank")
        #expect(shop.received().isEmpty)
        try set("strongPasswords", false, app: "org.example.Shop")
        try set("autoFill", false)
        let heard = try events(shop.received())
        #expect(heard.map { $0["type"] as? String } == ["settingsChanged", "settingsChanged"])
        #expect(heard.allSatisfy { $0["changed"] == nil })
        let last = heard.last?["settings"] as? [String: Bool]
        #expect(last == ["keychain": true, "autoFill": false, "strongPasswords": false])
    }

    @Test("Sign-in and association reach the app that they are about")
    func announced() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, as: "org.example.NotSetUp"))
        try daemon.announce(.loginStatusChanged(app: "org.example.Shop", isSignedIn: true))
        try daemon.settle()
        let heard = try events(shop.received())
        #expect(heard.map { $0["type"] as? String } == ["loginStatusChanged"])
        #expect(heard.first?["signedIn"] as? Bool == true)
        #expect(other.received().isEmpty)
    }

    @Test("Who does not take its events is told which are lost; the others lose none")
    func lost() throws {
        let daemon = try TestService()
        let (slow, quick) = (try connect(daemon), try connect(daemon))
        try daemon.onEngine { [client = slow.client] in $0.setTaking(false, client) }
        let count = Limits.waitingEvents + 10
        for _ in 0..<count {
            try daemon.announce(.vaultUnlocked)
            try daemon.settle()
        }
        #expect(slow.received().isEmpty)
        #expect(try events(quick.received()).map { $0["sequence"] as? Int } == Array(1...count))
        try daemon.onEngine { [client = slow.client] in $0.setTaking(true, client) }
        try daemon.settle()
        let late = try events(slow.received())
        #expect(late.count == Limits.waitingEvents + 1)
        #expect(late.dropLast().map { $0["sequence"] as? Int } == Array(1...Limits.waitingEvents))
        let notice = try #require(late.last)
        #expect(notice["type"] as? String == "eventsLost" && notice["sequence"] as? Int == count)
        #expect(notice["from"] as? Int == Limits.waitingEvents + 1 && notice["to"] as? Int == count)
        try daemon.announce(.vaultUnlocked)
        try daemon.settle()
        #expect(try events(slow.received()).map { $0["sequence"] as? Int } == [count + 1])
    }
}

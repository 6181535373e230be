// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("Asking the person about a domain, and about what is typed")
struct PromptedWordTests {
    private static var save: [String: Any] { ["service": Examples.shop, "user": "bob", "password": "secret"] }
    private static var get: [String: Any] { ["service": Examples.shop] }

    /// A vault in which the person has saved something for the shop, whose site is broken, or lists these apps.
    private func place(
        _ setting: DaemonSettings.SiteAssociation = .required, askEveryTime: Bool = false, listing: [String]? = nil
    ) throws -> (TestService, ServiceConnection) {
        var settings = DaemonSettings()
        if askEveryTime { settings.askBeforeFill = .everyTime }
        let daemon = try TestService(consent: .person, settings: settings, siteAssociation: setting)
        daemon.sites = { query in listing.map { .listing($0, to: query) } ?? .failing(query) }
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let app = daemon.connect(.systemProgram)
        try app.hello()
        return (daemon, app)
    }

    private func userState(_ app: ServiceConnection) throws -> String? {
        try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("userState")
    }

    @Test("Where the site cannot be heard the person is asked, with the reason; remembered, it is their approval")
    func approval() throws {
        let (daemon, app) = try place()
        #expect(try app.send("credential.save", Self.save).isEmpty)
        let question = try #require(daemon.questions.first)
        let text = question.first.description
        #expect(text.contains("May Example Shop count as an app of shop.example.com?"))
        #expect(text.contains("HTTP status 503"))
        #expect(text.contains("Program: /usr/bin/shop"))
        #expect(question.afterYes?.description.contains("from now on") == true)
        try daemon.answer(question, .allow)
        #expect(try app.answers().map { $0.result?["changed"] as? Bool } == [true])
        #expect(try userState(app) == "approved")
    }

    @Test("A yes for once goes on to the next question of the same request, and is not kept")
    func once() throws {
        let (daemon, app) = try place()
        #expect(try app.send("credential.get", Self.get).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        let second = try #require(daemon.questions.first)
        #expect(second.first.description.contains("wants to fill the password saved for shop.example.com"))
        try daemon.answer(second, .once)
        #expect(try app.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try userState(app) == "silent")
        #expect(try app.send("credential.get", Self.get, id: 2).isEmpty)
        #expect(daemon.questions.first?.first.description.contains("count as an app") == true)
    }

    @Test("A no holds for a while; the command that approves takes it back")
    func denied() throws {
        let (daemon, app) = try place()
        _ = try app.send("credential.save", Self.save)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
        #expect(try app.call("credential.save", Self.save).reasons == ["consent-denied"])
        #expect(daemon.questions.isEmpty)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "admin.domain.approve",
            ["bundleID": "org.example.Shop", "domain": "shop.example.com", "proof": Examples.proof])
        #expect(try app.call("credential.save", Self.save).result != nil)
    }

    @Test("What the site denies, what is forbidden to ask, and where nobody can be asked: the reason, and no prompt")
    func unasked() throws {
        let (daemon, app) = try place()
        let forbidden = try app.call("credential.save", Self.save.merging(["interaction": "forbid"]) { $1 })
        #expect(forbidden.reasons == ["site-fetch-failed"])
        _ = try app.send("credential.save", Self.save)
        try daemon.answer(try #require(daemon.questions.first), nil)
        #expect(try app.answers().map(\.reasons) == [["site-fetch-failed"]])
        let (other, denied) = try place(listing: [])
        #expect(try denied.call("credential.save", Self.save).reasons == ["site-not-listing"])
        #expect(other.questions.isEmpty)
    }

    @Test("With askBeforeFill on everyTime a remembered yes does not do, and none is remembered")
    func everyTime() throws {
        let (daemon, app) = try place(.advisory, askEveryTime: true)
        for id in 1...2 {
            #expect(try app.send("credential.get", Self.get, id: id).isEmpty)
            let question = try #require(daemon.questions.first)
            #expect(question.afterYes == nil)
            try daemon.answer(question, .allow)
            #expect(try app.answers().map { $0.text("password") } == ["s3cret"])
        }
    }

    @Test("A typed password is saved when the person says so; the prompt names the user, and what it replaces")
    func typed() throws {
        let (daemon, app) = try place(.advisory)
        func submit(_ user: String, id: Int) throws -> [TestAnswer] {
            try app.send(
                "autofill.submitted",
                [
                    "service": Examples.shop,
                    "fields": [
                        ["id": "mail", "contentType": "username", "value": user],
                        ["id": "pw", "contentType": "password", "secure": true, "value": "typed"],
                    ],
                ], id: id)
        }
        #expect(try submit("bob<b>", id: 1).isEmpty)
        let new = try #require(daemon.questions.first)
        #expect(new.first.description.contains(#"Save the password for bob\u{3c}b\u{3e} at shop.example.com"#))
        #expect(!new.first.description.contains("takes the place"))
        #expect(new.first.kind == .confirm(yes: "Save", no: "Do not save"))
        #expect(new.afterYes == nil)
        #expect(new.afterNo?.kind == .confirm(yes: "Never save", no: "Only this time"))
        try daemon.answer(new, .once)
        #expect(try app.answers().map { $0.text("outcome") } == ["saved"])
        #expect(try submit("ann", id: 2).isEmpty)
        let old = try #require(daemon.questions.first)
        #expect(old.first.description.contains("It takes the place of the password that is saved for this user name."))
        try daemon.answer(old, .never)
        #expect(try app.answers().map(\.reasons) == [["save-disabled"]])
        #expect(try submit("ann", id: 3).map(\.reasons) == [["save-disabled"]])
    }

    @Test("What another program keeps in the keychain is asked about by its group and service")
    func keychain() throws {
        let (daemon, app) = try place(.advisory)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "keychain.set",
            [
                "service": "sync<x>", "account": "ann", "accessGroup": "org.example.Shop",
                "data": ["base64": "c2VjcmV0"], "proof": Examples.proof,
            ])
        #expect(try app.send("keychain.get", ["service": "sync<x>", "account": "ann"]).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(
            question.first.description.contains(
                #"wants to read what is saved in the keychain under org.example.Shop/sync\u{3c}x\u{3e}."#))
        try daemon.answer(question, .once)
        #expect(try app.answers().map { $0.result?["data"] != nil } == [true])
    }
}

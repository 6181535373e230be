// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("Asking the user about a domain, and about what is typed")
struct PromptedConsentTests {
    private static let save = CredentialSave(service: .shop, user: "bob", password: SecretBytes(utf8: "secret"))
    private static let get = CredentialGet(service: .shop)

    /// A vault in which the user has saved something for the shop, whose site is broken, or lists these apps.
    private func place(
        _ setting: DaemonSettings.SiteAssociation = .required, askEveryTime: Bool = false, listing: [String]? = nil
    ) throws -> (TestService, ServiceConnection) {
        var settings = DaemonSettings()
        if askEveryTime { settings.askBeforeFill = .everyTime }
        let daemon = try TestService(consent: .user, settings: settings, siteAssociation: setting)
        daemon.sites = { query in listing.map { .listing($0, to: query) } ?? .failing(query) }
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let app = daemon.connect(.systemProgram)
        try app.greet()
        return (daemon, app)
    }

    private func userState(_ app: ServiceConnection) throws -> String {
        try app.answer(to: DomainGet(domain: "shop.example.com")).userState
    }

    @Test("Where the site cannot be read the user is asked, with the reason; remembered, it is their approval")
    func approval() throws {
        let (daemon, app) = try place()
        let saved = try app.send(Self.save)
        let question = try #require(daemon.questions.first)
        let text = question.first.description
        #expect(text.contains("May Example Shop count as an app of shop.example.com?"))
        #expect(text.contains("HTTP status 503"))
        #expect(text.contains("Program: /usr/bin/shop"))
        #expect(question.afterYes?.description.contains("from now on") == true)
        try daemon.answer(question, .allow)
        #expect(try saved.answer().changed)
        #expect(try userState(app) == "approved")
    }

    @Test("A yes for once continues with the next question of the same request, and is not kept")
    func once() throws {
        let (daemon, app) = try place()
        let got = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .once)
        let second = try #require(daemon.questions.first)
        #expect(second.first.description.contains("wants to fill the password saved for shop.example.com"))
        try daemon.answer(second, .once)
        #expect(try got.answer().password.text == "s3cret")
        #expect(try userState(app) == "silent")
        #expect(try app.send(Self.get).waits)
        #expect(daemon.questions.first?.first.description.contains("count as an app") == true)
    }

    @Test("A no holds for a while; the command that approves cancels it")
    func denied() throws {
        let (daemon, app) = try place()
        let saved = try app.send(Self.save)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try saved.reasons() == ["consent-denied"])
        #expect(try app.reasons(for: Self.save) == ["consent-denied"])
        #expect(daemon.questions.isEmpty)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(to: DomainApprove(bundleID: "org.example.Shop", domain: "shop.example.com", proof: .test))
        try app.answer(to: Self.save)
    }

    @Test("What the site denies, what is forbidden to ask, and where nobody can be asked: the reason, and no prompt")
    func unasked() throws {
        let (daemon, app) = try place()
        let forbidden = CredentialSave(
            service: .shop, user: "bob", password: SecretBytes(utf8: "secret"), interaction: .forbid)
        #expect(try app.reasons(for: forbidden) == ["site-fetch-failed"])
        let saved = try app.send(Self.save)
        try daemon.answer(try #require(daemon.questions.first), nil)
        #expect(try saved.reasons() == ["site-fetch-failed"])
        let (other, denied) = try place(listing: [])
        #expect(try denied.reasons(for: Self.save) == ["site-not-listing"])
        #expect(other.questions.isEmpty)
    }

    @Test("With askBeforeFill on everyTime a remembered yes does not do, and none is remembered")
    func everyTime() throws {
        let (daemon, app) = try place(.advisory, askEveryTime: true)
        for _ in 1...2 {
            let got = try app.send(Self.get)
            let question = try #require(daemon.questions.first)
            #expect(question.afterYes == nil)
            try daemon.answer(question, .allow)
            #expect(try got.answer().password.text == "s3cret")
        }
    }

    @Test("A typed password is saved when the user agrees; the prompt names its user name, and what it replaces")
    func typed() throws {
        let (daemon, app) = try place(.advisory)
        func submission(_ user: String) throws -> AutofillConfirm {
            try app.submission(
                of: FormDescription([
                    FieldDescription(id: "mail", contentType: "username", value: SecretBytes(utf8: user)),
                    FieldDescription(
                        id: "pw", contentType: "password", isSecure: true, value: SecretBytes(utf8: "typed")),
                ]))
        }
        let first = try app.send(try submission("bob<b>"))
        let new = try #require(daemon.questions.first)
        #expect(new.first.description.contains(#"Save the password for bob\u{3c}b\u{3e} at shop.example.com"#))
        #expect(!new.first.description.contains("replaces the password"))
        #expect(new.first.kind == .confirm(yes: "Save", no: "Do not save"))
        #expect(new.afterYes == nil)
        #expect(new.afterNo?.kind == .confirm(yes: "Never save", no: "Only this time"))
        try daemon.answer(new, .once)
        #expect(try first.answer().outcome == "saved")
        let second = try app.send(try submission("ann"))
        let old = try #require(daemon.questions.first)
        #expect(old.first.description.contains("It replaces the password that is saved for this user name."))
        try daemon.answer(old, .never)
        #expect(try second.reasons() == ["save-disabled"])
        #expect(try app.reasons(for: try submission("ann")) == ["save-disabled"])
    }

    @Test("What another program keeps in the keychain is asked about by its group and service")
    func keychain() throws {
        let (daemon, app) = try place(.advisory)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: KeychainSet(
                namespace: "sync<x>", account: "ann", data: SecretBytes(utf8: "secret"),
                accessGroup: "org.example.Shop", proof: .test))
        let got = try app.send(KeychainGet(.place(namespace: "sync<x>", account: "ann")))
        let question = try #require(daemon.questions.first)
        #expect(
            question.first.description.contains(
                #"wants to read what is saved in the keychain under org.example.Shop/sync\u{3c}x\u{3e}."#))
        try daemon.answer(question, .once)
        #expect(try got.answer().data.text == "secret")
    }
}

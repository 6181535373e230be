// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Foundation
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("Suggestions with what is publicly known of sites")
struct SiteTests {
    private final class Knowledge {
        let folder = NSTemporaryDirectory() + "/known-\(UUID().uuidString)"
        var kept: String { folder + "/site-knowledge.json" }

        init() throws {
            try FileManager.default.createDirectory(atPath: folder + "/public", withIntermediateDirectories: true)
            try write("password-rules.json", #"{ "shop.example.com": { "password-rules": "minlength: 33;" } }"#)
            try write(
                "shared-credentials.json",
                #"[ { "shared": ["shop.example.com", "shop.example.org", "shop.example.net"] } ]"#)
            try write("change-password-URLs.json", #"{ "shop.example.com": "https://shop.example.com/pw" }"#)
            try write("websites-that-append-2fa-to-password.json", #"[ "shop.example.com" ]"#)
            _ = try SiteKnowledgeFile.replace(kept, withFilesOf: folder + "/public")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/public/\(name)"))
        }
    }

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func save(_ user: ServiceConnection, _ domain: String, _ name: String) throws -> String {
        let password = SecretBytes(utf8: "of \(name)")
        return try user.answer(
            to: CredentialSave(
                service: ServiceIdentifier(domain: domain), user: name, password: password, proof: .test)
        ).credential
    }

    private func suggest(_ app: ServiceConnection, _ fields: [FieldDescription]) throws -> AutofillSuggest.Answer {
        try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(fields)))
    }

    private func users(
        _ answer: AutofillSuggest.Answer, _ list: (SavedCredentialsSuggestion) -> [CredentialSummary]
    ) -> [String] {
        answer.savedCredentials.map(list)?.map(\.user) ?? []
    }

    @Test("The site's rules hold where the field has none, and the answer states that and where to change a password")
    func rules() throws {
        let knowledge = try Knowledge()
        let shop = try connect(try TestService(siteKnowledge: knowledge.kept))
        var fields = [FieldDescription].signUp
        fields[1].passwordRules = nil
        let answer = try suggest(shop, fields)
        let strong = try #require(answer.strongPassword)
        #expect(strong.length >= 33)
        #expect(strong.diagnostics.first?.contains("known for shop.example.com") == true)
        let site = try #require(answer.site)
        #expect(site.changePassword == "https://shop.example.com/pw")
        #expect(site.appendsCode)
        #expect(try #require(try suggest(shop, .signUp).strongPassword).length < 33)
    }

    @Test("Without the files all works, and an import is seen without a restart")
    func seen() throws {
        let folder = NSTemporaryDirectory() + "/known-\(UUID().uuidString)"
        let daemon = try TestService(siteKnowledge: folder + "/site-knowledge.json")
        let shop = try connect(daemon)
        #expect(try suggest(shop, .signUp).site == nil)
        let knowledge = try Knowledge()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try SiteKnowledgeFile.replace(folder + "/site-knowledge.json", withFilesOf: knowledge.folder + "/public")
        try daemon.onEngine { $0.readFiles() }
        #expect(try suggest(shop, .signUp).site != nil)
    }

    /// The reasons why it cannot be allowed; none where it is.
    private func allow(_ user: ServiceConnection, _ domain: String) throws -> [String] {
        try user.reasons(
            for: GrantAllow(
                bundleID: "org.example.Shop", service: ServiceIdentifier(domain: domain), proof: .test))
    }

    @Test("What partner sites have is suggested and filled under the user's consent for each, not under the site's own")
    func shared() throws {
        let knowledge = try Knowledge()
        let daemon = try TestService(siteKnowledge: knowledge.kept)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        let partner = try save(user, "shop.example.org", "ann")
        let stranger = try save(user, "other.example.org", "eve")
        let own = try save(user, "shop.example.com", "bob")
        let shop = try connect(daemon)
        let there = ServiceIdentifier(domain: "shop.example.org")
        let before = try suggest(shop, .signIn)
        #expect(before.savedCredentials != nil && before.oneTimeCode == nil)
        #expect(users(before, \.credentials).isEmpty && users(before, \.shared).isEmpty)
        #expect(try allow(user, "shop.example.com") == [])
        let after = try suggest(shop, .signIn)
        #expect(users(after, \.credentials) == ["bob"] && users(after, \.shared).isEmpty)
        #expect(try shop.answer(to: AutofillFill(credential: own)).password?.text == "of bob")
        let calls: [any MethodCall] = [
            AutofillFill(credential: partner), CredentialList(service: there), CredentialGet(service: there),
            CodeGet(service: there),
        ]
        for call in calls { #expect(try shop.reasons(for: call) == ["grant-missing"], "\(call)") }
        #expect(try allow(user, "shop.example.org") == [])
        #expect(users(try suggest(shop, .signIn), \.shared) == ["ann"])
        #expect(try shop.answer(to: AutofillFill(credential: partner)).password?.text == "of ann")
        #expect(try shop.answer(to: CredentialGet(service: there)).password.text == "of ann")
        // Nothing is saved or removed across a group, and no other domain is in it.
        let save = CredentialSave(service: there, user: "ann", password: SecretBytes(utf8: "other"))
        #expect(try shop.reasons(for: save) == ["domain-not-associated"])
        #expect(try shop.reasons(for: CredentialDelete(credential: partner)) == ["domain-not-associated"])
        // Another site's is as unknown as nobody's.
        let nobodys = "crd_" + String(repeating: "0", count: 32)
        for call in [{ AutofillFill(credential: $0) }, { CredentialDelete(credential: $0) }]
            as [(String) -> any MethodCall]
        {
            let refusals = try [stranger, nobodys].map { try #require(try shop.refusal(of: call($0))).reasons }
            #expect(refusals[0].map(\.reason) == ["credential-not-found"])
            #expect(refusals[0] == refusals[1])
        }
        #expect(try allow(user, "other.example.org") == ["domain-not-associated"])
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try bank.refusal(of: AutofillFill(credential: partner)) != nil)
    }

    @Test("A remembered no for a partner site holds, whatever its group was allowed")
    func deniedPartner() throws {
        let knowledge = try Knowledge()
        let daemon = try TestService(consent: .fixed(.never), siteKnowledge: knowledge.kept)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        let partner = try save(user, "shop.example.org", "ann")
        _ = try save(user, "shop.example.com", "bob")
        let shop = daemon.connect(.systemProgram)
        try shop.greet()
        #expect(try allow(user, "shop.example.com") == [])
        for _ in 0..<2 {
            #expect(try shop.reasons(for: AutofillFill(credential: partner)) == ["grant-denied"])
            #expect(users(try suggest(shop, .signIn), \.shared).isEmpty)
        }
    }

    @Test("A remembered no for the app's own site holds for its partners, and a yes is asked for again every time")
    func ownSiteDecides() throws {
        let knowledge = try Knowledge()
        var settings = DaemonSettings()
        for (ask, reasons) in [(DaemonSettings.AskBeforeFill.once, []), (.everyTime, ["grant-missing"])] {
            settings.askBeforeFill = ask
            let daemon = try TestService(settings: settings, siteKnowledge: knowledge.kept)
            let user = try connect(daemon, "org.autofilld.autofillctl")
            _ = try save(user, "shop.example.org", "ann")
            let shop = try connect(daemon)
            let get = CredentialGet(service: ServiceIdentifier(domain: "shop.example.org"))
            #expect(try allow(user, "shop.example.org") == [])
            #expect(try shop.reasons(for: get) == reasons)
            try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .service(.shop), proof: .test))
            #expect(try shop.reasons(for: get) == ["grant-denied"])
        }
    }

    @Test("The app's other associated domains come after the site's own, each under a word of its own")
    func related() throws {
        let folder = try TestRegistrations([
            "org.example.Shop": """
            { "bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
                "com.apple.developer.associated-domains":
                  ["webcredentials:shop.example.com", "webcredentials:id.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true } }
            """
        ])
        let daemon = try TestService(registrations: folder.path)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        _ = try save(user, "shop.example.com", "ann")
        let other = try save(user, "id.example.com", "bob")
        let shop = try connect(daemon)
        for (domain, expected) in [("shop.example.com", []), ("id.example.com", ["bob"])] {
            #expect(try allow(user, domain) == [])
            let answer = try suggest(shop, .signIn)
            #expect(users(answer, \.credentials) == ["ann"])
            #expect(users(answer, \.related) == expected)
        }
        #expect(try shop.answer(to: AutofillFill(credential: other)).password?.text == "of bob")
    }
}

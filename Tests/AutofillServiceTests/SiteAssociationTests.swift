// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("The site's word and the person's")
struct SiteAssociationTests {
    private static let shop = "org.example.Shop"
    private static let query = AssociationQuery(domain: "shop.example.com", mode: .standard)
    private static var save: [String: Any] { ["service": Examples.shop, "user": "ann", "password": "secret"] }
    private static var suggest: [String: Any] { ["service": Examples.shop, "fields": Examples.signUp] }

    private func daemon(
        _ setting: DaemonSettings.SiteAssociation = .required, registrations: String = TestFiles.registrations,
        sites: @escaping (AssociationQuery) -> AssociationReport
    ) throws -> TestService {
        let daemon = try TestService(siteAssociation: setting, registrations: registrations)
        daemon.sites = sites
        return daemon
    }

    private func registration(of entry: String) -> String {
        """
        {"bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
        "com.apple.developer.associated-domains": ["\(entry)"],
        "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """
    }

    @Test("An app that its site lists is served, from its second request at the latest")
    func approved() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("autofill.suggest", Self.suggest).suggestion("strongPassword") != nil)
        let state = try app.call("admin.domain.get", ["domain": "shop.example.com"])
        #expect(state.text("siteState") == "approved")
        #expect(state.result?["approved"] as? Bool == true)
        #expect(state.text("siteEvidence")?.contains("HTTP 200") == true)
        #expect(state.text("siteEvidence")?.contains(daemon.clock.now.description) == true)
    }

    @Test("An app that its site does not list is refused, with the entry that is missing, until the person approves it")
    func notListed() throws {
        let daemon = try daemon { .listing(["org.example.Other"], to: $0) }
        let app = daemon.connect()
        try app.hello()
        let withheld = try app.call("autofill.suggest", Self.suggest)
        #expect(withheld.withheld["strongPassword"] == ["site-not-listing"])
        let refused = try app.call("credential.save", Self.save)
        #expect(refused.reasons == ["site-not-listing"])
        let reasons = (refused.error?["data"] as? [String: Any])?["reasons"] as? [[String: Any]]
        #expect((reasons?.first?["fix"] as? String)?.contains("\"linux.org.example.Shop\"") == true)
        let decision: [String: Any] = ["bundleID": Self.shop, "domain": "shop.example.com", "proof": Examples.proof]
        #expect(try app.call("admin.domain.approve", decision).result?["changed"] as? Bool == true)
        #expect(try app.call("admin.domain.approve", decision).result?["changed"] as? Bool == false)
        #expect(try app.call("credential.save", Self.save).result != nil)
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("userState") == "approved")
    }

    @Test("What the person denied stays denied though the site lists it, for what the app saved itself too")
    func denied() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.hello()
        try app.call("credential.save", Self.save)
        #expect(try app.call("credential.get", ["service": Examples.shop]).result != nil)
        let decision: [String: Any] = ["bundleID": Self.shop, "domain": "shop.example.com", "proof": Examples.proof]
        try app.call("admin.domain.deny", decision)
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["approval-denied"])
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).result?["approved"] as? Bool == false)
    }

    @Test("A request waits for a site that has not answered yet, and is answered when it has")
    func waits() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.hello()
        let suggested = try app.call("autofill.suggest", Self.suggest)
        #expect(suggested.withheld["strongPassword"] == ["site-not-fetched"])
        #expect(try app.exchange(Self.line(Self.save)).isEmpty)
        try daemon.answer(Self.query, with: .listing([Self.shop], to: Self.query))
        try daemon.settle()
        #expect(try TestAnswer(app.received().first ?? "").result?["changed"] as? Bool == true)
    }

    @Test("A request that forbids interaction is answered at once, and says after which event to ask again")
    func forbids() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.hello()
        let answer = try app.call("credential.save", Self.save.merging(["interaction": "forbid"]) { $1 })
        #expect(answer.reasons == ["site-not-fetched"])
        let reasons = (answer.error?["data"] as? [String: Any])?["reasons"] as? [[String: Any]]
        #expect(reasons?.first?["retry"] as? String == "afterEvent")
        #expect(reasons?.first?["event"] as? String == "associationChanged")
    }

    @Test("Every request that forbids interaction is answered at once where a site has to be asked first")
    func nothingWaits() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.hello()
        let offer = try #require(
            try app.call("autofill.suggest", Self.suggest).suggestion("strongPassword")?["offer"] as? String)
        daemon.areSitesSilent = true
        daemon.clock.advance(milliseconds: 3_600_000)
        let account: [String: Any] = ["service": Examples.shop, "user": "ann"]
        let code: [String: Any] = ["service": Examples.shop, "code": "111111"]
        let mail = daemon.connect()
        try mail.hello("org.example.Mail")
        let name = try #require(try mail.call("code.offer", code).text("code"))
        for (method, parameters) in [
            ("autofill.fill", ["offer": offer]), ("autofill.accept", ["offer": offer, "user": "ann"]),
            ("autofill.submitted", ["service": Examples.shop, "fields": Examples.signIn]),
            ("code.set", account.merging(["uri": "otpauth://totp/a?secret=MY"]) { $1 }), ("code.delete", account),
            ("code.get", ["service": Examples.shop]), ("autofill.fill", ["code": name]),
        ] as [(String, [String: Any])] {
            let answer = try app.call(method, parameters.merging(["interaction": "forbid"]) { $1 })
            #expect(answer.reasons == ["site-not-fetched"], "\(method)")
        }
    }

    @Test("An attempt that fails while the vault is locked takes nothing of what the site said before")
    func failedWhileLocked() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = VaultLocation.directory(folder + "/vault")
        do {
            let daemon = try TestService(location: place, siteAssociation: .required)
            daemon.sites = { .listing([Self.shop], to: $0) }
            let app = daemon.connect()
            try app.hello()
            #expect(try app.call("credential.save", Self.save).error == nil)
            try daemon.close()
        }
        let daemon = try TestService(location: place, isCreated: false, siteAssociation: .required)
        daemon.sites = { .failing($0) }
        let app = daemon.connect()
        try app.hello()
        try app.call("vault.unlock", Examples.proof)
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("siteState") == "approved")
        #expect(try app.call("credential.save", Self.save.merging(["user": "bob"]) { $1 }).error == nil)
    }

    @Test("No request waits longer than the limit")
    func waitsAtMost() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.hello()
        #expect(try app.exchange(Self.line(Self.save)).isEmpty)
        daemon.clock.advance(milliseconds: Int64(Limits.associationWaitMilliseconds))
        try daemon.settle()
        try daemon.settle()
        #expect(try TestAnswer(app.received().first ?? "").reasons == ["site-not-fetched"])
    }

    @Test("A failed refresh leaves the last good word as it was, until that expires")
    func failedRefresh() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("autofill.suggest", Self.suggest).suggestion("strongPassword") != nil)
        daemon.sites = { .failing($0) }
        daemon.clock.advance(milliseconds: 2_800_000)
        try daemon.onEngine { $0.refreshAssociations() }
        try daemon.settle()
        let kept = try app.call("admin.domain.get", ["domain": "shop.example.com"])
        #expect(kept.text("siteState") == "approved")
        #expect(kept.text("siteEvidence")?.contains("503") == true)
        let files = kept.result?["files"] as? [[String: Any]]
        #expect(files?.map { $0["failure"] as? String } == ["status", "status"])
        #expect(files?.map { $0["status"] as? Int } == [503, 503])
        #expect(try app.call("autofill.suggest", Self.suggest).suggestion("strongPassword") != nil)
        daemon.clock.advance(milliseconds: 800_000)
        #expect(try app.call("credential.save", Self.save).reasons == ["site-fetch-failed"])
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("siteState") == "failed")
    }

    @Test("A refresh that was asked for is answered with what it brought, and an app that was taken out is out at once")
    func refresh() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.hello()
        try app.call("credential.save", Self.save)
        daemon.sites = { .listing([], to: $0) }
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("siteState") == "approved")
        // So soon only the person has it asked again.
        #expect(try app.call("admin.domain.refresh", ["domain": "shop.example.com"]).text("siteState") == "approved")
        daemon.clock.advance(milliseconds: Int64(Limits.associationRefreshMilliseconds))
        #expect(try app.call("admin.domain.refresh", ["domain": "shop.example.com"]).text("siteState") == "notListing")
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["site-not-listing"])
    }

    @Test("A wildcard is approved by the domain's own file, for what is below it")
    func wildcard() throws {
        var asked: [String] = []
        let daemon = try daemon { query in
            asked.append(query.domain)
            return .listing(query.domain == "members.example.com" ? [Self.shop] : [], to: query)
        }
        let app = daemon.connect()
        try app.hello()
        for (domain, reasons) in [
            ("a.members.example.com", []), ("b.a.members.example.com", []),
            ("members.example.com", ["domain-not-associated"]), ("shop.example.com", ["site-not-listing"]),
        ] {
            let answer = try app.call(
                "credential.save",
                ["service": ["type": "domain", "value": domain], "user": "ann", "password": "secret"])
            #expect(answer.reasons == reasons, "\(domain)")
        }
        #expect(Set(asked) == ["members.example.com", "shop.example.com"])
    }

    @Test("The person's word for a wildcard covers what is below it, a denial of one name that one only")
    func wildcardDecision() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.hello()
        func decide(_ method: String, _ domain: String) throws {
            let parameters: [String: Any] = ["bundleID": Self.shop, "domain": domain, "proof": Examples.proof]
            #expect(try app.call(method, parameters).result != nil)
        }
        try decide("admin.domain.approve", "*.members.example.com")
        try decide("admin.domain.deny", "b.members.example.com")
        func isApproved(_ domain: String) throws -> Bool? {
            try app.call("admin.domain.get", ["domain": domain]).result?["approved"] as? Bool
        }
        #expect(try isApproved("a.members.example.com") == true)
        #expect(try isApproved("b.members.example.com") == false)
        #expect(try isApproved("*.members.example.com") == true)
        #expect(try isApproved("shop.example.com") == false)
    }

    @Test("A grant is the person's word too")
    func grant() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("credential.save", Self.save).reasons == ["site-fetch-failed"])
        try app.call("admin.grant.allow", ["bundleID": Self.shop, "service": Examples.shop, "proof": Examples.proof])
        #expect(try app.call("credential.save", Self.save).result != nil)
    }

    @Test("A grant for one program of the app approves the domain for that program alone")
    func grantOfAProgram() throws {
        let daemon = try TestService(consent: .fixed(.allow), siteAssociation: .required)
        daemon.sites = { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let program = daemon.connect(.systemProgram)
        try program.hello()
        let save = Self.save.merging(["proof": Examples.proof]) { $1 }
        try program.call("credential.save", save)
        #expect(try program.call("credential.get", ["service": Examples.shop]).error == nil)
        daemon.sites = { .failing($0) }
        daemon.clock.advance(milliseconds: 3_600_000)
        let other = daemon.connect()
        try other.hello()
        // Nobody is to be asked.
        let unasked = Self.save.merging(["interaction": "forbid"]) { $1 }
        #expect(try other.call("credential.save", unasked).reasons == ["site-not-fetched"])
        #expect(try other.call("credential.save", unasked).reasons == ["site-fetch-failed"])
        #expect(try program.call("credential.save", unasked).error == nil)
    }

    @Test("Where the setting asks for no word, the site's is told and a denial holds")
    func advisory() throws {
        let daemon = try daemon(.advisory) { .listing([], to: $0) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("credential.save", Self.save).result != nil)
        // Nobody asks the site by itself then.
        try app.call("admin.domain.refresh", ["domain": "shop.example.com"])
        let state = try app.call("admin.domain.get", ["domain": "shop.example.com"])
        #expect(state.text("siteState") == "notNeeded")
        #expect(state.text("siteEvidence")?.contains("does not list") == true)
        let decision: [String: Any] = ["bundleID": Self.shop, "domain": "shop.example.com", "proof": Examples.proof]
        try app.call("admin.domain.deny", decision)
        #expect(try app.call("credential.save", Self.save).reasons == ["approval-denied"])
    }

    @Test("A registration of the user's needs the site's word though root's would not")
    func userOwned() throws {
        let registrations = try TestRegistrations([Self.shop: registration(of: "webcredentials:shop.example.com")])
        let daemon = try daemon(.requiredUnlessInstalled, registrations: registrations.path) { .failing($0) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("credential.save", Self.save).reasons == ["site-fetch-failed"])
    }

    @Test(
        "Root's registration is enough where the setting says so, and has no developer mode",
        .enabled(if: getuid() == 0, "needs root, to make a file that is root's alone"))
    func rootOwned() throws {
        let folder = "/var/lib/autofill-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = registration(of: "webcredentials:shop.example.com?mode=developer")
        try #require(
            FileManager.default.createFile(
                atPath: "\(folder)/\(Self.shop).json", contents: Data(text.utf8), attributes: [.posixPermissions: 0o644]
            ))
        var modes: Set<AssociationQuery.Mode> = []
        let installed = try daemon(.requiredUnlessInstalled, registrations: folder) { query in
            modes.insert(query.mode)
            return .failing(query)
        }
        let app = installed.connect()
        try app.hello()
        #expect(try app.call("credential.save", Self.save).result != nil)
        #expect(modes == [.standard])
        let required = try daemon(.required, registrations: folder) { .failing($0) }
        let other = required.connect()
        try other.hello()
        #expect(try other.call("credential.save", Self.save).reasons == ["site-fetch-failed"])
    }

    @Test("In developer mode the site's word is not enough: the person approves, or nothing is done")
    func developer() throws {
        let registrations = try TestRegistrations([
            Self.shop: registration(of: "webcredentials:shop.example.com?mode=developer")
        ])
        let daemon = try daemon(registrations: registrations.path) { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("credential.save", Self.save).reasons == ["approval-missing"])
        #expect(try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("userState") == "needed")
        let decision: [String: Any] = ["bundleID": Self.shop, "domain": "shop.example.com", "proof": Examples.proof]
        try app.call("admin.domain.approve", decision)
        #expect(try app.call("credential.save", Self.save).result != nil)
    }

    @Test("What was heard and said is in the vault, and holds after a restart without a new question")
    func kept() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func start(isCreated: Bool) throws -> TestService {
            let daemon = try TestService(
                location: .directory(folder), isCreated: isCreated, siteAssociation: .required)
            if !isCreated { try daemon.onEngine { try $0.unlock(withKeyFile: try TestFiles.keyFile()) } }
            return daemon
        }
        let first = try start(isCreated: true)
        first.sites = { .listing($0.domain == "shop.example.com" ? [Self.shop] : [], to: $0) }
        let app = first.connect()
        try app.hello()
        try app.call(
            "admin.domain.deny", ["bundleID": Self.shop, "domain": "a.members.example.com", "proof": Examples.proof])
        try first.close()
        let second = try start(isCreated: false)
        second.areSitesSilent = true
        let again = second.connect()
        try again.hello()
        #expect(try again.call("admin.domain.get", ["domain": "shop.example.com"]).text("siteState") == "approved")
        #expect(try again.call("admin.domain.get", ["domain": "a.members.example.com"]).text("userState") == "denied")
        #expect(second.askedSites.isEmpty)
        try second.close()
    }

    @Test("diagnose gives the site's word and the person's with the evidence")
    func diagnose() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.hello()
        let answer = try app.call("diagnose", ["service": Examples.shop])
        let conditions = try #require(answer.result?["conditions"] as? [[String: Any]])
        let site = try #require(conditions.first { $0["condition"] as? String == "site" })
        #expect(site["held"] as? Bool == false)
        #expect((site["evidence"] as? String)?.contains("HTTP 503") == true)
        #expect((site["reason"] as? [String: Any])?["reason"] as? String == "site-fetch-failed")
        let person = try #require(conditions.first { $0["condition"] as? String == "userApproval" })
        #expect(person["held"] as? Bool == true)
    }

    @Test("Who subscribed is told when a site says something new, and when the person decides")
    func events() throws {
        let daemon = try daemon { .failing($0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.hello()
        try app.call("event.subscribe")
        #expect(app.received().isEmpty)
        try daemon.answer(Self.query, with: .listing([Self.shop], to: Self.query))
        try daemon.settle()
        let first = app.received()
        #expect(first.count == 1 && first[0].contains(#""type":"associationChanged""#), "\(first)")
        #expect(first.first?.contains(#""value":"shop.example.com""#) == true)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "admin.domain.deny", ["bundleID": Self.shop, "domain": "shop.example.com", "proof": Examples.proof])
        #expect(app.received().count == 1)
    }

    @Test("A failed attempt is repeated after a while, and not before")
    func retries() throws {
        var attempts = 0
        let daemon = try daemon { query in
            if query == Self.query { attempts += 1 }
            return .failing(query)
        }
        let app = daemon.connect()
        try app.hello()
        for _ in 0..<5 { #expect(try app.call("credential.save", Self.save).reasons == ["site-fetch-failed"]) }
        #expect(attempts == 1)
        daemon.clock.advance(milliseconds: 400_000)
        try daemon.onEngine { $0.refreshAssociations() }
        try daemon.settle()
        #expect(attempts == 2)
    }

    private static func line(_ parameters: [String: Any]) throws -> String {
        let request: [String: Any] = [
            "jsonrpc": "2.0", "id": 7, "method": "credential.save", "params": parameters,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
    }
}

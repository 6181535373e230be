// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("The site's statement and the user's decision")
struct SiteAssociationTests {
    private static let shop = "org.example.Shop"
    private static let query = AssociationQuery(domain: "shop.example.com", mode: .standard)
    private static let save = CredentialSave("ann", "secret")
    private static let unasked = CredentialSave(
        service: .shop, user: "ann", password: SecretBytes(utf8: "secret"), interaction: .forbid)
    private static let suggest = AutofillSuggest(service: .shop, form: FormDescription(.signUp))
    private static let approve = DomainApprove(bundleID: shop, domain: "shop.example.com", proof: .test)
    private static let deny = DomainDeny(bundleID: shop, domain: "shop.example.com", proof: .test)

    private func withheld(_ answer: AutofillSuggest.Answer) -> [String]? {
        answer.withheld.first { $0.type == "strongPassword" }?.reasons.map(\.reason)
    }

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
        try app.greet()
        #expect(try app.answer(to: Self.suggest).strongPassword != nil)
        let state = try app.answer(to: DomainGet(domain: "shop.example.com"))
        #expect(state.siteState == "approved")
        #expect(state.approved)
        #expect(state.siteEvidence.contains("HTTP 200"))
        #expect(state.siteEvidence.contains(daemon.clock.now.description))
    }

    @Test("An app that its site does not list is refused, with the entry that is missing, until the user approves it")
    func notListed() throws {
        let daemon = try daemon { .listing(["org.example.Other"], to: $0) }
        let app = daemon.connect()
        try app.greet()
        #expect(withheld(try app.answer(to: Self.suggest)) == ["site-not-listing"])
        let refused = try #require(try app.refusal(of: Self.save)).reasons
        #expect(refused.map(\.reason) == ["site-not-listing"])
        #expect(refused.first?.fix.contains("\"linux.org.example.Shop\"") == true)
        #expect(try app.answer(to: Self.approve).changed)
        #expect(try !app.answer(to: Self.approve).changed)
        try app.answer(to: Self.save)
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).userState == "approved")
    }

    @Test("What the user denied stays denied though the site lists it, for what the app saved itself too")
    func denied() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: Self.save)
        try app.answer(to: CredentialGet(service: .shop))
        try app.answer(to: Self.deny)
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["approval-denied"])
        #expect(try !app.answer(to: DomainGet(domain: "shop.example.com")).approved)
    }

    @Test("A request waits for a site that has not answered yet, and is answered when it has")
    func waits() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.greet()
        #expect(withheld(try app.answer(to: Self.suggest)) == ["site-not-fetched"])
        let saved = try app.send(Self.save)
        #expect(saved.waits)
        try daemon.answer(Self.query, with: .listing([Self.shop], to: Self.query))
        try daemon.settle()
        #expect(try saved.answer().changed)
    }

    @Test("A request that forbids interaction is answered at once, with the event after which to ask again")
    func forbids() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.greet()
        let reasons = try #require(try app.refusal(of: Self.unasked)).reasons
        #expect(reasons.map(\.reason) == ["site-not-fetched"])
        #expect(reasons.first?.retry == "afterEvent")
        #expect(reasons.first?.event == "associationChanged")
    }

    @Test("Every request that forbids interaction is answered at once where a site has to be asked first")
    func nothingWaits() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.greet()
        let offer = try #require(try app.answer(to: Self.suggest).strongPassword).offer
        daemon.areSitesSilent = true
        daemon.clock.advance(milliseconds: 3_600_000)
        let mail = daemon.connect()
        try mail.greet(as: "org.example.Mail")
        let code =
            try mail.answer(to: CodeOffer(service: .shop, code: SecretBytes(utf8: "111111"))).code
        let calls: [any MethodCall] = [
            AutofillFill(offer: offer, interaction: .forbid),
            AutofillAccept(offer: offer, user: "ann", interaction: .forbid),
            AutofillSubmit(service: .shop, form: FormDescription(.signIn), interaction: .forbid),
            CodeSet(
                service: .shop, user: "ann", uri: SecretBytes(utf8: "otpauth://totp/a?secret=MY"),
                interaction: .forbid),
            CodeDelete(service: .shop, user: "ann", interaction: .forbid),
            CodeGet(service: .shop, interaction: .forbid), AutofillFill(code: code, interaction: .forbid),
        ]
        for call in calls { #expect(try app.reasons(for: call) == ["site-not-fetched"], "\(call)") }
    }

    @Test("An attempt that fails while the vault is locked removes nothing of what the site stated before")
    func failedWhileLocked() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = VaultLocation.directory(folder + "/vault")
        do {
            let daemon = try TestService(location: place, siteAssociation: .required)
            daemon.sites = { .listing([Self.shop], to: $0) }
            let app = daemon.connect()
            try app.greet()
            try app.answer(to: Self.save)
            try daemon.close()
        }
        let daemon = try TestService(location: place, isCreated: false, siteAssociation: .required)
        daemon.sites = { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: VaultUnlock(proof: .test))
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).siteState == "approved")
        try app.answer(to: CredentialSave("bob", "secret"))
    }

    @Test("No request waits longer than the limit")
    func waitsAtMost() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.greet()
        let saved = try app.send(Self.save)
        #expect(saved.waits)
        daemon.clock.advance(milliseconds: Int64(Limits.associationWaitMilliseconds))
        try daemon.settle()
        try daemon.settle()
        #expect(try saved.reasons() == ["site-not-fetched"])
    }

    @Test("A failed refresh leaves the last good word as it was, until that expires")
    func failedRefresh() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.greet()
        #expect(try app.answer(to: Self.suggest).strongPassword != nil)
        daemon.sites = { .failing($0) }
        daemon.clock.advance(milliseconds: 2_800_000)
        try daemon.onEngine { $0.refreshAssociations() }
        try daemon.settle()
        let kept = try app.answer(to: DomainGet(domain: "shop.example.com"))
        #expect(kept.siteState == "approved")
        #expect(kept.siteEvidence.contains("503"))
        #expect(kept.files.map(\.failure) == ["status", "status"])
        #expect(kept.files.map(\.status) == [503, 503])
        #expect(try app.answer(to: Self.suggest).strongPassword != nil)
        daemon.clock.advance(milliseconds: 800_000)
        #expect(try app.reasons(for: Self.save) == ["site-fetch-failed"])
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).siteState == "failed")
    }

    @Test("A refresh that was asked for is answered with what it brought, and an app that was taken out is out at once")
    func refresh() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: Self.save)
        daemon.sites = { .listing([], to: $0) }
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).siteState == "approved")
        // So soon only the user can have the site asked again.
        #expect(try app.answer(to: DomainRefresh(domain: "shop.example.com")).siteState == "approved")
        daemon.clock.advance(milliseconds: Int64(Limits.associationRefreshMilliseconds))
        #expect(try app.answer(to: DomainRefresh(domain: "shop.example.com")).siteState == "notListing")
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["site-not-listing"])
    }

    @Test("What a file has stated counts while it cannot be fetched, until that expires; then nothing is known of it")
    func partial() throws {
        let daemon = try daemon { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: Self.save)
        daemon.sites = { .partly(listing: ["org.example.Other"], to: $0) }
        daemon.clock.advance(milliseconds: Int64(Limits.associationRefreshMilliseconds))
        #expect(try app.answer(to: DomainRefresh(domain: "shop.example.com")).siteState == "approved")
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).siteEvidence.contains("HTTP 503"))
        daemon.clock.advance(milliseconds: 3_600_000)
        let state = try app.answer(to: DomainRefresh(domain: "shop.example.com"))
        #expect(state.siteState == "failed" && state.siteEvidence.contains("association: status (HTTP 503)"))
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["site-fetch-failed"])
        daemon.sites = { .listing([Self.shop], to: $0) }
        daemon.clock.advance(milliseconds: 2 * Int64(Limits.associationRetryMilliseconds.lowerBound))
        try app.answer(to: DomainRefresh(domain: "shop.example.com"))
        #expect(try app.answer(to: CredentialGet(service: .shop)).password.text == "secret")
    }

    @Test("A wildcard is approved by the domain's own file, for what is below it")
    func wildcard() throws {
        var asked: [String] = []
        let daemon = try daemon { query in
            asked.append(query.domain)
            return .listing(query.domain == "members.example.com" ? [Self.shop] : [], to: query)
        }
        let app = daemon.connect()
        try app.greet()
        for (domain, reasons) in [
            ("a.members.example.com", []), ("b.a.members.example.com", []),
            ("members.example.com", ["domain-not-associated"]), ("shop.example.com", ["site-not-listing"]),
        ] {
            let save = CredentialSave("ann", "secret", at: ServiceIdentifier(domain: domain))
            #expect(try app.reasons(for: save) == reasons, "\(domain)")
        }
        #expect(Set(asked) == ["members.example.com", "shop.example.com"])
    }

    @Test("A domain may be named as a service, also by the origin of its pages; no other service is one")
    func namedAsService() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        let origin = ServiceIdentifier(type: "origin", value: "https://shop.example.com:443")
        try app.answer(to: DomainApprove(bundleID: Self.shop, domain: .service(origin), proof: .test))
        #expect(try app.answer(to: DomainGet(domain: .service(.shop))).userState == "approved")
        for (service, member) in [
            (ServiceIdentifier(type: "origin", value: "http://shop.example.com"), "service.value"),
            (ServiceIdentifier(domain: "shop"), "service.value"),
            (ServiceIdentifier(type: "url", value: "shop.example.com"), "service.type"),
        ] {
            #expect(try app.refusal(of: DomainGet(domain: .service(service)))?.member == member)
        }
        let both: [String: Any] = ["domain": "shop.example.com", "service": Examples.shop]
        #expect(try app.call("admin.domain.get", both).problem == "parameter-invalid")
        #expect(try app.call("admin.domain.get").problem == "parameter-missing")
    }

    @Test("The user's consent for a wildcard covers what is below it, a denial of one name that one only")
    func wildcardDecision() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: DomainApprove(bundleID: Self.shop, domain: "*.members.example.com", proof: .test))
        try app.answer(to: DomainDeny(bundleID: Self.shop, domain: "b.members.example.com", proof: .test))
        func isApproved(_ domain: String) throws -> Bool {
            try app.answer(to: DomainGet(domain: .name(domain))).approved
        }
        #expect(try isApproved("a.members.example.com"))
        #expect(try !isApproved("b.members.example.com"))
        #expect(try isApproved("*.members.example.com"))
        #expect(try !isApproved("shop.example.com"))
    }

    @Test("A grant is the user's consent too")
    func grant() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        #expect(try app.reasons(for: Self.save) == ["site-fetch-failed"])
        try app.answer(to: GrantAllow(bundleID: Self.shop, service: .shop, proof: .test))
        try app.answer(to: Self.save)
    }

    @Test("A grant for one program of the app approves the domain for that program alone")
    func grantOfAProgram() throws {
        let daemon = try TestService(consent: .fixed(.allow), siteAssociation: .required)
        daemon.sites = { .listing([Self.shop], to: $0, validSeconds: 3600) }
        let program = daemon.connect(.systemProgram)
        try program.greet()
        try program.answer(to: CredentialSave("ann", "secret", proof: .test))
        try program.answer(to: CredentialGet(service: .shop))
        daemon.sites = { .failing($0) }
        daemon.clock.advance(milliseconds: 3_600_000)
        let other = daemon.connect()
        try other.greet()
        // Nobody is to be asked.
        #expect(try other.reasons(for: Self.unasked) == ["site-not-fetched"])
        #expect(try other.reasons(for: Self.unasked) == ["site-fetch-failed"])
        try program.answer(to: Self.unasked)
    }

    @Test("Where the setting requires no statement, the site's is reported and a denial holds")
    func advisory() throws {
        let daemon = try daemon(.advisory) { .listing([], to: $0) }
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: Self.save)
        // Nobody asks the site by itself then.
        try app.answer(to: DomainRefresh(domain: "shop.example.com"))
        let state = try app.answer(to: DomainGet(domain: "shop.example.com"))
        #expect(state.siteState == "notNeeded")
        #expect(state.siteEvidence.contains("does not list"))
        try app.answer(to: Self.deny)
        #expect(try app.reasons(for: Self.save) == ["approval-denied"])
    }

    @Test("A registration of the user's needs the site's statement though root's would not")
    func userOwned() throws {
        let registrations = try TestRegistrations([Self.shop: registration(of: "webcredentials:shop.example.com")])
        let daemon = try daemon(.requiredUnlessInstalled, registrations: registrations.path) { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        #expect(try app.reasons(for: Self.save) == ["site-fetch-failed"])
    }

    @Test(
        "Root's registration is enough where the setting allows it, and has no developer mode",
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
        try app.greet()
        try app.answer(to: Self.save)
        #expect(modes == [.standard])
        let required = try daemon(.required, registrations: folder) { .failing($0) }
        let other = required.connect()
        try other.greet()
        #expect(try other.reasons(for: Self.save) == ["site-fetch-failed"])
    }

    @Test("In developer mode the site's statement is not enough: the user approves, or nothing is done")
    func developer() throws {
        let registrations = try TestRegistrations([
            Self.shop: registration(of: "webcredentials:shop.example.com?mode=developer")
        ])
        let daemon = try daemon(registrations: registrations.path) { .listing([Self.shop], to: $0) }
        let app = daemon.connect()
        try app.greet()
        #expect(try app.reasons(for: Self.save) == ["approval-missing"])
        #expect(try app.answer(to: DomainGet(domain: "shop.example.com")).userState == "needed")
        try app.answer(to: Self.approve)
        try app.answer(to: Self.save)
    }

    @Test("What the site stated and the user decided is in the vault, and holds after a restart without a new question")
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
        try app.greet()
        try app.answer(to: DomainDeny(bundleID: Self.shop, domain: "a.members.example.com", proof: .test))
        try first.close()
        let second = try start(isCreated: false)
        second.areSitesSilent = true
        let again = second.connect()
        try again.greet()
        #expect(try again.answer(to: DomainGet(domain: "shop.example.com")).siteState == "approved")
        #expect(try again.answer(to: DomainGet(domain: "a.members.example.com")).userState == "denied")
        #expect(second.askedSites.isEmpty)
        try second.close()
    }

    @Test("diagnose returns the site's statement and the user's decision with the evidence")
    func diagnose() throws {
        let daemon = try daemon { .failing($0) }
        let app = daemon.connect()
        try app.greet()
        let conditions = try app.answer(to: Diagnose(service: .shop)).conditions
        let site = try #require(conditions.first { $0.condition == "site" })
        #expect(site.isHeld == false)
        #expect(site.evidence.contains("HTTP 503"))
        #expect(site.reason?.reason == "site-fetch-failed")
        let user = try #require(conditions.first { $0.condition == "userApproval" })
        #expect(user.isHeld == true)
    }

    @Test("Subscribers are notified when a site states something new, and when the user decides")
    func events() throws {
        let daemon = try daemon { .failing($0) }
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: EventSubscribe())
        #expect(app.received().isEmpty)
        try daemon.answer(Self.query, with: .listing([Self.shop], to: Self.query))
        try daemon.settle()
        #expect(try app.events().map(\.content) == [.associationChanged(service: .shop)])
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(to: Self.deny)
        #expect(try app.events().count == 1)
    }

    @Test("A failed attempt is repeated after a while, and not before")
    func retries() throws {
        var attempts = 0
        let daemon = try daemon { query in
            if query == Self.query { attempts += 1 }
            return .failing(query)
        }
        let app = daemon.connect()
        try app.greet()
        for _ in 0..<5 { #expect(try app.reasons(for: Self.save) == ["site-fetch-failed"]) }
        #expect(attempts == 1)
        daemon.clock.advance(milliseconds: 400_000)
        try daemon.onEngine { $0.refreshAssociations() }
        try daemon.settle()
        #expect(attempts == 2)
    }
}

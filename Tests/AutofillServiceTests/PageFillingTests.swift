// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite(
    "Filling and saving at a browser's pages",
    .enabled(
        if: access("/usr/share/publicsuffix/public_suffix_list.dat", R_OK) == 0, "needs Debian's package publicsuffix"))
struct PageFillingTests {
    private let registrations: TestRegistrations

    init() throws { registrations = try WideRegistrations.folder() }

    private func service(
        once: Bool = false, sites: String? = nil, _ others: TestRegistrations? = nil
    ) throws -> TestService {
        var settings = DaemonSettings()
        if once { settings.askInBrowser = .once }
        return try TestService(
            consent: .user, settings: settings, registrations: (others ?? registrations).path, siteKnowledge: sites)
    }

    private func connect(_ daemon: TestService, _ app: String = WideRegistrations.browser) throws -> ServiceConnection {
        let connection = daemon.connect(.systemProgram)
        try connection.greet(as: app)
        return connection
    }

    @discardableResult
    private func save(_ daemon: TestService, _ name: String, _ user: String = "ann") throws -> String {
        let save = CredentialSave(user, "of \(user)", at: ServiceIdentifier(domain: name), proof: .test)
        return try daemon.user().answer(to: save).credential
    }

    private func get(_ origin: String, _ interaction: Interaction = .allow) -> CredentialGet {
        CredentialGet(service: .origin(origin), interaction: interaction)
    }

    private func page(_ origin: String) -> PageContext { PageContext(page: .origin(origin)) }

    private func suggest(_ origin: String, _ fields: [FieldDescription]) -> AutofillSuggest {
        AutofillSuggest(service: .origin(origin), form: FormDescription(fields))
    }

    private func allow(_ daemon: TestService, _ browser: ServiceConnection, _ origins: String...) throws {
        for origin in origins {
            let sent = try browser.send(CredentialList(service: .origin(origin)))
            try daemon.answer(try #require(daemon.questions.first), .allow)
            try sent.answer()
        }
    }

    private func listed(_ browser: ServiceConnection, _ origin: String) throws -> [CredentialSummary] {
        try browser.answer(to: CredentialList(service: .origin(origin))).credentials
    }

    private func typed(_ user: String, _ password: String) -> [FieldDescription] {
        zip([FieldDescription].signIn, [user, password]).map { field, value in
            var field = field
            field.value = SecretBytes(utf8: value)
            return field
        }
    }

    @Test("A browser names the page with every id; what belongs to another site is not found")
    func page() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let other = try save(daemon, "example.org", "bob")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com", "https://example.org")
        func fill(_ id: String) -> AutofillFill { AutofillFill(credential: id, form: FormDescription(.signIn)) }
        let missing = try #require(try browser.refusal(of: fill(id)))
        #expect(missing.reasons.map(\.reason) == ["parameter-invalid"] && missing.member == "context.page")
        let login = page("https://login.example.com")
        #expect(try browser.answer(to: fill(id), in: login).password?.text == "of ann")
        #expect(try browser.reasons(for: fill(other), in: login) == ["credential-not-found"])
        #expect(try browser.reasons(for: fill(id), in: page("http://localhost")) == ["credential-not-found"])
        #expect(try browser.reasons(for: fill(id), in: page("null")) == ["origin-opaque"])
        let suggested = try browser.answer(to: suggest("https://example.com", .signUp))
        let offer = try #require(suggested.strongPassword).offer
        let offered = AutofillFill(offer: offer)
        #expect(try browser.reasons(for: offered, in: page("https://example.org")) == ["offer-not-found"])
        #expect(try browser.answer(to: offered, in: page("https://example.com")).password != nil)
    }

    @Test("A code belongs to its site too")
    func codes() throws {
        let daemon = try service()
        try save(daemon, "example.com")
        let uri = SecretBytes(utf8: "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        try daemon.user().answer(
            to: CodeSet(service: ServiceIdentifier(domain: "example.com"), user: "ann", uri: uri, proof: .test))
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com", "https://example.org")
        let fields = [FieldDescription(id: "code", contentType: "oneTimeCode")]
        let suggested = try browser.answer(to: suggest("https://login.example.com", fields))
        let code = try #require(suggested.oneTimeCode?.codes.first).code
        let fill = AutofillFill(code: code, form: FormDescription(fields))
        #expect(try browser.reasons(for: fill, in: page("https://example.org")) == ["code-not-found"])
        #expect(try browser.answer(to: fill, in: page("https://example.com")).code?.text.utf8.count == 6)
    }

    @Test("The user picks among the accounts of the whole site")
    func pick() throws {
        let daemon = try service()
        try save(daemon, "example.com", "ann")
        try save(daemon, "login.example.com", "bob")
        let browser = try connect(daemon)
        let sent = try browser.send(
            AutofillFill(service: .origin("https://www.example.com"), form: FormDescription(.signIn)))
        let question = try #require(daemon.questions.first)
        #expect(question.accounts.map(\.user).sorted() == ["ann", "bob"])
        #expect(question.service == Service(kind: .domain, value: "example.com"))
        try daemon.pick(1, of: question, .once)
        #expect(try sent.answer().user == question.accounts[1].user)
    }

    @Test("What is typed at another name of the site changes the password that is saved, and makes no second one")
    func submitted() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com")
        let sent = try browser.send(
            try browser.submission(of: FormDescription(typed("ann", "new")), at: .origin("https://login.example.com")))
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("for ann at example.com"))
        try daemon.answer(question, .once)
        let answer = try sent.answer()
        #expect(answer.outcome == "updated" && answer.credential == id)
        #expect(try browser.answer(to: get("https://example.com")).password.text == "new")
        #expect(try listed(browser, "https://login.example.com").count == 1)
    }

    @Test("A strong password at a change form of another name of the site replaces the one that is saved")
    func replaced() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com")
        let suggested = try browser.answer(to: suggest("https://id.example.com", .signUp))
        let offer = try #require(suggested.strongPassword).offer
        #expect(try browser.answer(to: AutofillAccept(offer: offer, replaces: id)).credential == id)
        #expect(try listed(browser, "https://example.com").count == 1)
        #expect(try browser.answer(to: get("https://example.com")).password.text != "of ann")
    }

    @Test("Of two credentials of one user at a site the one that a call names is changed, or whose password was typed")
    func sameUser() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let user = try daemon.user()
        let login = ServiceIdentifier(domain: "login.example.com")
        let other = try user.answer(to: CredentialSave("ann", "of login", at: login, proof: .test)).credential
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com")
        func passwords() throws -> [String] {
            try [id, other].map { try user.answer(to: CredentialGet(.id($0), proof: .test)).password.text }
        }
        // The calls name the one of example.com, the page is login.example.com.
        let uri = SecretBytes(utf8: "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        let at = page("https://login.example.com")
        #expect(try browser.answer(to: CodeSet(.id(id), uri: uri), in: at).credential == id)
        let suggested = try browser.answer(to: suggest("https://login.example.com", .signUp))
        let accept = AutofillAccept(offer: try #require(suggested.strongPassword).offer, replaces: id)
        #expect(try browser.answer(to: accept).credential == id)
        let strong = try passwords()
        #expect(strong[0] != "of ann" && strong[1] == "of login")
        // Forms that name no user: with a password that was typed, and with one that was offered.
        func change(from old: String, to new: String) -> FormDescription {
            var fields = [
                FieldDescription(id: "old", contentType: "password", isSecure: true),
                FieldDescription(id: "new", contentType: "newPassword", isSecure: true),
            ]
            for (index, value) in [old, new].enumerated() { fields[index].value = SecretBytes(utf8: value) }
            return FormDescription(fields)
        }
        let typed = try browser.send(
            browser.submission(of: change(from: strong[0], to: "typed"), at: .origin("https://login.example.com")))
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try typed.answer().credential == id)
        #expect(try passwords() == ["typed", "of login"])
        let again = try browser.answer(to: suggest("https://login.example.com", .signUp))
        let offer = try #require(again.strongPassword)
        let offered = try #require(try browser.answer(to: AutofillFill(offer: offer.offer), in: at).password).text
        let sent = try browser.submission(
            of: change(from: "typed", to: offered), at: .origin("https://login.example.com"))
        #expect(try browser.answer(to: sent).credential == id)
        #expect(try passwords() == [offered, "of login"])
    }

    @Test("With a prompt as proof the credential of the service that it names is read or changed, no other of the site")
    func proven() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let browser = try connect(daemon)
        let name = CredentialName.saved(for: ServiceIdentifier(domain: "login.example.com"), user: "ann")
        let uri = SecretBytes(utf8: "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        func reasons(_ call: some MethodCall) throws -> [String] {
            let sent = try browser.send(call)
            let approval = try #require(daemon.approvals.first)
            #expect(approval.prompt.description.contains("ann at login.example.com"))
            try daemon.answer(approval, isApproved: true)
            return try sent.reasons()
        }
        let noted = CredentialUpdate(name, changes: CredentialChanges(label: "new"), proof: .prompt)
        func change() throws -> [[String]] {
            [
                try reasons(CodeSet(name, uri: uri, proof: .prompt)), try reasons(CodeDelete(name, proof: .prompt)),
                try reasons(noted), try reasons(CredentialDelete(name, proof: .prompt)),
            ]
        }
        #expect(try change() == [[String]](repeating: ["credential-not-found"], count: 4))
        let get = CredentialGet(name, proof: .prompt)
        #expect(try reasons(get) == ["credential-not-found"])
        #expect(try reasons(CodeGet(name, proof: .prompt)) == ["code-not-found"])
        try save(daemon, "login.example.com")
        #expect(try reasons(get) == [])
        #expect(try change() == [[String]](repeating: [], count: 4))
        let other = try daemon.user().answer(to: CredentialGet(.id(id), proof: .test))
        #expect(other.summary.version == "1" && other.summary.label.isEmpty)
    }

    @Test(
        "A frame in another site's page gets its own, and the prompt names the page; one in a public http page gets nothing"
    )
    func topOrigin() throws {
        let daemon = try service()
        try save(daemon, "example.com")
        let browser = try connect(daemon)
        let get = self.get("https://example.com")
        func top(_ page: String, window: String? = nil) -> PageContext {
            PageContext(topOrigin: .origin(page), parentWindow: window)
        }
        let framed = try browser.send(get, in: top("https://evil.example", window: "x11:2a"))
        // The same without the other page is another question.
        let plain = try browser.send(get, in: top("https://www.example.com"))
        #expect(daemon.questions.count == 1, "one prompt at a time")
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("It is inside another site's page: https://evil.example"))
        #expect(question.first.parentWindow == "x11:2a")
        try daemon.answer(question, .once)
        #expect(try framed.answer().summary.user == "ann")
        let own = try #require(daemon.questions.first)
        #expect(!own.first.description.contains("another site"))
        try daemon.answer(own, .allow)
        try plain.answer()
        let refused = try #require(try browser.refusal(of: get, in: top("http://news.example")))
        #expect(refused.reasons.map(\.reason) == ["origin-not-secure"])
        #expect(refused.fix?.hasPrefix("Serve http://news.example over https") == true)
        #expect(try browser.answer(to: get, in: top("http://localhost")).summary.user == "ann")
        #expect(try browser.answer(to: get, in: top("null", window: "odd")).summary.user == "ann")
        let domain = PageContext(topOrigin: ServiceIdentifier(domain: "example.com"))
        #expect(try browser.refusal(of: get, in: domain)?.member == "context.topOrigin.type")
    }

    @Test(
        "With the setting, one word is for all sites: it ends with the login, and is asked for again after 20 sites in ten minutes"
    )
    func onceForTheBrowser() throws {
        let daemon = try service(once: true)
        for number in 0...25 { try save(daemon, "site\(number).example") }
        let browser = try connect(daemon)
        func silently(_ number: Int) -> CredentialGet { get("https://site\(number).example", .forbid) }
        func filled(_ number: Int) throws -> String { try browser.answer(to: silently(number)).summary.user }
        let first = try browser.send(get("https://site0.example"))
        let question = try #require(daemon.questions.first)
        #expect(
            question.afterYes?.description.hasPrefix(
                "May Browser fill the passwords saved for all web sites until you log out, without asking again?")
                == true)
        try daemon.answer(question, .allow)
        try first.answer()
        for number in 0..<Limits.browserSites { #expect(try filled(number) == "ann", "\(number)") }
        #expect(try filled(3) == "ann", "the same site again costs nothing")
        #expect(try browser.reasons(for: silently(20)) == ["interaction-required"])
        #expect(try browser.reasons(for: silently(3)) == ["interaction-required"], "the word has ended")
        let again = try browser.send(get("https://site21.example"))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        try again.answer()
        #expect(try filled(22) == "ann")
        daemon.clock.advance(milliseconds: Int64(Limits.browserSitesMilliseconds))
        for number in 0..<Limits.browserSites { #expect(try filled(number) == "ann", "\(number)") }
        // Another login, and another program.
        var evidence = PeerEvidence.systemProgram
        evidence.login = "boot/other"
        let later = daemon.connect(evidence)
        try later.greet(as: WideRegistrations.browser)
        #expect(try later.reasons(for: silently(0)) == ["interaction-required"])
        let helper = try connect(daemon, WideRegistrations.helper)
        #expect(try helper.reasons(for: silently(0)) == ["interaction-required"])
        // Nothing of it is kept: it is listed among the grants while it holds, under the id of the record, and can be revoked.
        let user = try daemon.user()
        let listed = try user.answer(to: GrantList(proof: .test)).grants
        #expect(listed.map(\.service) == [ServiceIdentifier(type: "origin", value: "*")])
        #expect(listed.map(\.bundleID) == [WideRegistrations.browser] && listed.map(\.decision) == ["allow"])
        let releases = try user.answer(to: ReleaseList(proof: .test)).releases
        #expect(releases.contains { $0.grant == listed[0].grant })
        #expect(try filled(3) == "ann")
        let take = GrantRevoke(grant: listed[0].grant, proof: .test)
        #expect(try user.answer(to: take).changed && !user.answer(to: take).changed)
        #expect(try user.answer(to: GrantList(proof: .test)).grants.isEmpty)
        #expect(try browser.reasons(for: silently(3)) == ["interaction-required"])
    }

    @Test("Without the setting each site is asked about; a remembered no overrides the consent for all")
    func perSite() throws {
        let daemon = try service()
        for name in ["one.example", "two.example"] { try save(daemon, name) }
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://one.example")
        #expect(
            try browser.reasons(for: get("https://two.example", .forbid)) == ["interaction-required"])
        let once = try service(once: true)
        for name in ["one.example", "two.example"] { try save(once, name) }
        let other = try connect(once)
        try allow(once, other, "https://one.example")
        #expect(try other.answer(to: get("https://two.example")).summary.user == "ann")
        try once.user().answer(
            to: GrantDeny(
                bundleID: WideRegistrations.browser, .service(ServiceIdentifier(domain: "two.example")), proof: .test))
        #expect(try other.reasons(for: get("https://two.example")) == ["grant-denied"])
    }

    @Test("Sites that are known to share accounts count, each with the user's consent for it")
    func quirks() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/public", withIntermediateDirectories: true)
        try Data(#"[ { "shared": ["shop.example", "shop.test"] } ]"#.utf8)
            .write(to: URL(fileURLWithPath: folder + "/public/shared-credentials.json"))
        _ = try SiteKnowledgeFile.replace(folder + "/known.json", withFilesOf: folder + "/public")
        let daemon = try service(sites: folder + "/known.json")
        let id = try save(daemon, "shop.test")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://login.shop.example")
        func shared() throws -> [String] {
            let answer = try browser.answer(to: suggest("https://login.shop.example", .signIn))
            return (answer.savedCredentials?.shared ?? []).map(\.credential)
        }
        #expect(try shared().isEmpty)
        try allow(daemon, browser, "https://shop.test")
        #expect(try shared() == [id])
        let fill = AutofillFill(credential: id, form: FormDescription(.signIn))
        #expect(try browser.answer(to: fill, in: page("https://login.shop.example")).user == "ann")
    }

    @Test("The other domains of an app count that both sites approve")
    func apps() throws {
        let family = try WideRegistrations.folder([
            "org.example.Family": WideRegistrations.registration(
                "org.example.Family",
                #""com.apple.developer.associated-domains": ["webcredentials:one.example", "webcredentials:two.example"]"#
            )
        ])
        let daemon = try service(family)
        let id = try save(daemon, "two.example")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://one.example", "https://two.example")
        let (fill, one) = (AutofillFill(credential: id, form: FormDescription(.signIn)), page("https://one.example"))
        #expect(try browser.reasons(for: fill, in: one) == ["credential-not-found"])
        for name in ["one.example", "two.example"] {
            try daemon.user().answer(
                to: DomainApprove(bundleID: "org.example.Family", domain: .name(name), proof: .test))
        }
        #expect(try browser.answer(to: fill, in: one).user == "ann")
        let suggested = try browser.answer(to: suggest("https://one.example", .signIn))
        #expect(suggested.savedCredentials?.shared.map(\.credential) == [id])
    }
}

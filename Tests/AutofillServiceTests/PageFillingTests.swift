// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Credentials
import Foundation
import PeerIdentity
import Prompting
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
        once: Bool = false, sites: String? = nil, association: DaemonSettings.SiteAssociation = .advisory,
        _ others: TestRegistrations? = nil
    ) throws -> TestService {
        var settings = DaemonSettings()
        if once { settings.askInBrowser = .once }
        return try TestService(
            consent: .person, settings: settings, siteAssociation: association,
            registrations: (others ?? registrations).path, siteKnowledge: sites)
    }

    private func connect(_ daemon: TestService, _ app: String = WideRegistrations.browser) throws -> ServiceConnection {
        let connection = daemon.connect(app.hasSuffix("ctl") ? .plainProcess : .systemProgram)
        try connection.hello(app)
        return connection
    }

    @discardableResult
    private func save(_ daemon: TestService, _ name: String, _ user: String = "ann") throws -> String {
        let saved = try connect(daemon, "org.autofilld.autofillctl").call(
            "credential.save",
            [
                "service": ["type": "domain", "value": name], "user": user, "password": "of \(user)",
                "proof": Examples.proof,
            ])
        return try #require(saved.text("credential"), "\(saved)")
    }

    private func get(_ origin: String, _ more: [String: Any] = [:]) -> [String: Any] {
        ["service": WideRegistrations.origin(origin)].merging(more) { $1 }
    }

    private func allow(_ daemon: TestService, _ browser: ServiceConnection, _ origin: String) throws {
        #expect(try browser.send("credential.list", get(origin)).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        _ = try browser.answers()
    }

    private func typed(_ user: String, _ password: String) -> [[String: Any]] {
        [
            ["id": "mail", "contentType": "username", "value": user],
            ["id": "password", "contentType": "password", "secure": true, "value": password],
        ]
    }

    @Test("A browser names the page with every id; what belongs to another site is not found")
    func page() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let other = try save(daemon, "example.org", "bob")
        let browser = try connect(daemon)
        for origin in ["https://example.com", "https://example.org"] { try allow(daemon, browser, origin) }
        func fill(_ id: String, at origin: String?) throws -> TestAnswer {
            var call: [String: Any] = ["credential": id, "fields": Examples.signIn]
            if let origin { call["page"] = WideRegistrations.origin(origin) }
            return try browser.call("autofill.fill", call)
        }
        let missing = try fill(id, at: nil)
        #expect(missing.problem == "parameter-invalid" && missing.member == "page")
        #expect(try fill(id, at: "https://login.example.com").text("password") == "of ann")
        #expect(try fill(other, at: "https://login.example.com").reasons == ["credential-not-found"])
        #expect(try fill(id, at: "http://localhost").reasons == ["credential-not-found"])
        #expect(try fill(id, at: "null").reasons == ["origin-opaque"])
        let suggested = try browser.call("autofill.suggest", get("https://example.com", ["fields": Examples.signUp]))
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        func fillOffer(_ origin: String) throws -> TestAnswer {
            try browser.call("autofill.fill", ["offer": offer, "page": WideRegistrations.origin(origin)])
        }
        #expect(try fillOffer("https://example.org").reasons == ["offer-not-found"])
        #expect(try fillOffer("https://example.com").text("password") != nil)
    }

    @Test("A code belongs to its site too")
    func codes() throws {
        let daemon = try service()
        try save(daemon, "example.com")
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let set = try person.call(
            "code.set",
            [
                "service": ["type": "domain", "value": "example.com"], "user": "ann", "proof": Examples.proof,
                "uri": "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
            ])
        #expect(set.error == nil)
        let browser = try connect(daemon)
        for origin in ["https://example.com", "https://example.org"] { try allow(daemon, browser, origin) }
        let fields: [[String: Any]] = [["id": "code", "contentType": "oneTimeCode"]]
        let suggested = try browser.call("autofill.suggest", get("https://login.example.com", ["fields": fields]))
        let codes = suggested.suggestion("oneTimeCode")?["codes"] as? [[String: Any]]
        let code = try #require(codes?.first?["oneTimeCode"] as? String, "\(suggested)")
        func fill(_ origin: String) throws -> TestAnswer {
            try browser.call(
                "autofill.fill", ["oneTimeCode": code, "fields": fields, "page": WideRegistrations.origin(origin)])
        }
        #expect(try fill("https://example.org").reasons == ["code-not-found"])
        #expect(try fill("https://example.com").text("code")?.utf8.count == 6)
    }

    @Test("The person picks among the accounts of the whole site")
    func pick() throws {
        let daemon = try service()
        try save(daemon, "example.com", "ann")
        try save(daemon, "login.example.com", "bob")
        let browser = try connect(daemon)
        let fill = get("https://www.example.com", ["fields": Examples.signIn])
        #expect(try browser.send("autofill.fill", fill).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.accounts.map(\.user).sorted() == ["ann", "bob"])
        #expect(question.service == Service(kind: .domain, value: "example.com"))
        try daemon.pick(1, of: question, .once)
        #expect(try browser.answers().first?.text("user") == question.accounts[1].user)
    }

    @Test("What is typed at another name of the site changes the password that is saved, and makes no second one")
    func submitted() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com")
        #expect(
            try browser.send("autofill.submitted", get("https://login.example.com", ["fields": typed("ann", "new")]))
                .isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("for ann at example.com"))
        try daemon.answer(question, .once)
        let answer = try #require(try browser.answers().first)
        #expect(answer.text("outcome") == "updated" && answer.text("credential") == id)
        #expect(try browser.call("credential.get", get("https://example.com")).text("password") == "new")
        let listed =
            try browser.call("credential.list", get("https://login.example.com")).result?["credentials"] as? [Any]
        #expect(listed?.count == 1)
    }

    @Test("A strong password at a change form of another name of the site replaces the one that is saved")
    func replaced() throws {
        let daemon = try service()
        let id = try save(daemon, "example.com")
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://example.com")
        let suggested = try browser.call("autofill.suggest", get("https://id.example.com", ["fields": Examples.signUp]))
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        let accepted = try browser.call("autofill.accept", ["offer": offer, "replaces": id])
        #expect(accepted.text("credential") == id, "\(accepted)")
        let listed = try browser.call("credential.list", get("https://example.com")).result?["credentials"] as? [Any]
        #expect(listed?.count == 1)
        #expect(try browser.call("credential.get", get("https://example.com")).text("password") != "of ann")
    }

    @Test(
        "A frame in another site's page gets its own, and the prompt names the page; one in a public http page gets nothing"
    )
    func topOrigin() throws {
        let daemon = try service()
        try save(daemon, "example.com")
        let browser = try connect(daemon)
        let page = ["topOrigin": "https://evil.example", "parentWindow": "x11:2a"]
        #expect(try browser.send("credential.get", get("https://example.com", page)).isEmpty)
        // The same without the other page is another question.
        #expect(
            try browser.send(
                "credential.get", get("https://example.com", ["topOrigin": "https://www.example.com"]), id: 2
            ).isEmpty)
        #expect(daemon.questions.count == 1, "one prompt at a time")
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("It is a part of another site's page: https://evil.example"))
        #expect(question.first.parentWindow == "x11:2a")
        try daemon.answer(question, .once)
        #expect(try browser.answers().map { $0.text("user") } == ["ann"])
        let own = try #require(daemon.questions.first)
        #expect(!own.first.description.contains("another site"))
        try daemon.answer(own, .allow)
        _ = try browser.answers()
        let refused = try browser.call(
            "credential.get", get("https://example.com", ["topOrigin": "http://news.example"]))
        #expect(refused.reasons == ["origin-not-secure"])
        #expect(refused.fixes.first?.hasPrefix("Serve http://news.example over https") == true)
        #expect(
            try browser.call("credential.get", get("https://example.com", ["topOrigin": "http://localhost"])).text(
                "user") == "ann")
        #expect(
            try browser.call(
                "credential.get", get("https://example.com", ["topOrigin": "null", "parentWindow": "odd"])
            )
            .text("user") == "ann")
    }

    @Test(
        "With the setting, one word is for all sites: it ends with the login, and is asked for again after 20 sites in ten minutes"
    )
    func onceForTheBrowser() throws {
        let daemon = try service(once: true)
        for number in 0...25 { try save(daemon, "site\(number).example") }
        let browser = try connect(daemon)
        func ask(_ number: Int, _ browser: ServiceConnection) throws -> TestAnswer {
            try browser.call("credential.get", get("https://site\(number).example", ["interaction": "forbid"]))
        }
        #expect(try browser.send("credential.get", get("https://site0.example")).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(
            question.afterYes?.description.hasPrefix(
                "May Browser fill the passwords saved for all web sites until you log out, without asking again?")
                == true)
        try daemon.answer(question, .allow)
        _ = try browser.answers()
        for number in 0..<Limits.browserSites { #expect(try ask(number, browser).text("user") == "ann", "\(number)") }
        #expect(try ask(3, browser).text("user") == "ann", "the same site again costs nothing")
        #expect(try ask(20, browser).reasons == ["interaction-required"])
        #expect(try ask(3, browser).reasons == ["interaction-required"], "the word has ended")
        #expect(try browser.send("credential.get", get("https://site21.example")).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        _ = try browser.answers()
        #expect(try ask(22, browser).text("user") == "ann")
        daemon.clock.advance(milliseconds: Int64(Limits.browserSitesMilliseconds))
        for number in 0..<Limits.browserSites { #expect(try ask(number, browser).text("user") == "ann", "\(number)") }
        // Another login, and another program.
        var evidence = PeerEvidence.systemProgram
        evidence.login = "boot/other"
        let later = daemon.connect(evidence)
        try later.hello(WideRegistrations.browser)
        #expect(try ask(0, later).reasons == ["interaction-required"])
        #expect(try ask(0, try connect(daemon, WideRegistrations.helper)).reasons == ["interaction-required"])
        let grants = try connect(daemon, "org.autofilld.autofillctl").call(
            "admin.grant.list", ["proof": Examples.proof])
        #expect((grants.result?["grants"] as? [Any])?.isEmpty == true, "nothing of it is kept")
    }

    @Test("Without the setting each site is asked about; a remembered no stands against the word for all")
    func perSite() throws {
        let daemon = try service()
        for name in ["one.example", "two.example"] { try save(daemon, name) }
        let browser = try connect(daemon)
        try allow(daemon, browser, "https://one.example")
        #expect(
            try browser.call("credential.get", get("https://two.example", ["interaction": "forbid"])).reasons
                == ["interaction-required"])
        let once = try service(once: true)
        for name in ["one.example", "two.example"] { try save(once, name) }
        let other = try connect(once)
        try allow(once, other, "https://one.example")
        #expect(try other.call("credential.get", get("https://two.example")).text("user") == "ann")
        _ = try connect(once, "org.autofilld.autofillctl").call(
            "admin.grant.deny",
            [
                "bundleID": WideRegistrations.browser, "service": ["type": "domain", "value": "two.example"],
                "proof": Examples.proof,
            ])
        #expect(try other.call("credential.get", get("https://two.example")).reasons == ["grant-denied"])
    }

    @Test("Sites that are known to share accounts count, each by the person's word for it")
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
        func shared() throws -> [[String: Any]] {
            let answer = try browser.call(
                "autofill.suggest", get("https://login.shop.example", ["fields": Examples.signIn]))
            return answer.suggestion("savedCredentials")?["shared"] as? [[String: Any]] ?? []
        }
        #expect(try shared().isEmpty)
        try allow(daemon, browser, "https://shop.test")
        #expect(try shared().map { $0["credential"] as? String } == [id])
        let fill: [String: Any] = [
            "credential": id, "fields": Examples.signIn, "page": WideRegistrations.origin("https://login.shop.example"),
        ]
        #expect(try browser.call("autofill.fill", fill).text("user") == "ann")
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
        for origin in ["https://one.example", "https://two.example"] { try allow(daemon, browser, origin) }
        let fill: [String: Any] = [
            "credential": id, "fields": Examples.signIn, "page": WideRegistrations.origin("https://one.example"),
        ]
        #expect(try browser.call("autofill.fill", fill).reasons == ["credential-not-found"])
        for name in ["one.example", "two.example"] {
            #expect(
                try connect(daemon, "org.autofilld.autofillctl").call(
                    "admin.domain.approve",
                    ["bundleID": "org.example.Family", "domain": name, "proof": Examples.proof]
                ).error == nil)
        }
        #expect(try browser.call("autofill.fill", fill).text("user") == "ann")
        let suggested = try browser.call("autofill.suggest", get("https://one.example", ["fields": Examples.signIn]))
        let shared = suggested.suggestion("savedCredentials")?["shared"] as? [[String: Any]]
        #expect(shared?.map { $0["credential"] as? String } == [id])
    }
}

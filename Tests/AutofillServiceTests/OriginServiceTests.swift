// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite(
    "The service type origin, for browsers",
    .enabled(
        if: access("/usr/share/publicsuffix/public_suffix_list.dat", R_OK) == 0, "needs Debian's package publicsuffix"))
struct OriginServiceTests {
    private let registrations: TestRegistrations
    private let daemon: TestService

    init() throws {
        registrations = try WideRegistrations.folder()
        daemon = try TestService(consent: .user, registrations: registrations.path)
    }

    private func connect(_ app: String = WideRegistrations.browser) throws -> ServiceConnection {
        let connection = daemon.connect(.systemProgram)
        try connection.greet(as: app)
        return connection
    }

    @discardableResult
    private func save(_ service: ServiceIdentifier, _ user: String = "ann") throws -> String {
        try daemon.user().answer(to: CredentialSave(user, "of \(user)", at: service, proof: .test)).credential
    }

    private func save(_ domain: String, _ user: String = "ann") throws {
        try save(ServiceIdentifier(domain: domain), user)
    }

    private func get(_ origin: String, _ interaction: Interaction = .allow) -> CredentialGet {
        CredentialGet(service: .origin(origin), interaction: interaction)
    }

    /// The user allows a browser a page's site.
    private func allow(_ browser: ServiceConnection, _ origins: String...) throws {
        for origin in origins {
            let sent = try browser.send(CredentialList(service: .origin(origin)))
            try daemon.answer(try #require(daemon.questions.first), .allow)
            try sent.answer()
        }
    }

    private func users(_ browser: ServiceConnection, _ origin: String) throws -> [String] {
        let answer = try browser.answer(to: AutofillSuggest(service: .origin(origin), form: FormDescription(.signIn)))
        return (answer.savedCredentials?.credentials ?? []).map(\.user).sorted()
    }

    @Test("What is saved for a name of a site is offered at its others, and never across a public suffix")
    func site() throws {
        try save("example.com", "ann")
        try save("login.example.com", "bob")
        try save("example.org", "carl")
        try save("ann.github.io", "dora")
        try save("shop.co.uk", "emil")
        let browser = try connect()
        try allow(
            browser, "https://example.com", "https://ann.github.io", "https://shop.co.uk", "https://bob.github.io")
        for page in ["https://example.com", "https://login.example.com", "https://a.b.example.com:8443"] {
            #expect(try users(browser, page) == ["ann", "bob"], "\(page)")
        }
        #expect(try users(browser, "https://ann.github.io") == ["dora"])
        #expect(try users(browser, "https://x.ann.github.io") == ["dora"])
        #expect(try users(browser, "https://bob.github.io").isEmpty)
        #expect(try users(browser, "https://other.co.uk").isEmpty)
        #expect(try users(browser, "https://login.shop.co.uk") == ["emil"])
    }

    @Test("A public suffix matches only itself")
    func suffix() throws {
        try save(.origin("https://github.io"), "ann")
        try save("shop.github.io", "bob")
        let browser = try connect()
        try allow(browser, "https://github.io", "https://shop.github.io")
        #expect(try users(browser, "https://github.io") == ["ann"])
        #expect(try users(browser, "https://shop.github.io") == ["bob"])
        #expect(try users(browser, "https://co.uk").isEmpty)
    }

    @Test("localhost, addresses and names of one label match scheme, host and port")
    func exact() throws {
        let origins = [
            "http://localhost:3000", "http://localhost", "https://localhost:3000", "http://192.168.1.1",
            "https://192.168.1.1",
            "http://router", "http://app.localhost:3000", "https://8.8.8.8", "http://[::1]:3000",
        ]
        for (number, origin) in origins.enumerated() { try save(.origin(origin), "u\(number)") }
        let browser = try connect()
        for origin in origins { try allow(browser, origin) }
        for (number, origin) in origins.enumerated() {
            let found = try browser.answer(to: get(origin)).summary
            #expect(found.user == "u\(number)" && found.service == .origin(origin), "\(origin)")
        }
        #expect(try browser.reasons(for: get("http://localhost:3001", .forbid)) == ["interaction-required"])
    }

    @Test("https on a registrable domain saves as the domain of its host, which an app of that domain shares")
    func sharedWithApps() throws {
        let browser = try connect()
        try browser.answer(to: CredentialSave("ann", "1", at: .origin("https://shop.example.com")))
        #expect(try browser.answer(to: get("https://shop.example.com")).summary.service == .shop)
        let shop = try connect(WideRegistrations.shop)
        let got = try shop.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try got.answer().summary.user == "ann")
        // An app's associated domain is that domain alone.
        try save("example.com", "bob")
        let listed = try shop.send(CredentialList(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try listed.answer().credentials.map(\.user) == ["ann"])
    }

    @Test("http on a public host is refused, and what was saved over https is never filled over http")
    func notSecure() throws {
        try save("example.com")
        let id = try save(.origin("https://localhost"))
        let browser = try connect()
        try allow(browser, "https://example.com", "https://localhost")
        let refused = try #require(try browser.refusal(of: get("http://example.com")))
        #expect(refused.reasons.map(\.reason) == ["origin-not-secure"])
        #expect(refused.fix?.hasPrefix("Serve http://example.com over https") == true)
        let suggested = try browser.answer(
            to: AutofillSuggest(service: .origin("http://example.com"), form: FormDescription(.signUp)))
        #expect(suggested.reasons(withholding: "strongPassword") == ["origin-not-secure"])
        try allow(browser, "http://localhost")
        #expect(try browser.reasons(for: get("http://localhost")) == ["credential-not-found"])
        let fill = AutofillFill(credential: id, form: FormDescription(.signIn))
        let page = PageContext(page: .origin("http://localhost"))
        #expect(try browser.reasons(for: fill, in: page) == ["credential-not-found"])
    }

    @Test("http at a private address is served with a warning")
    func warning() throws {
        try save(.origin("http://192.168.1.1"))
        try save("example.com")
        let browser = try connect()
        try allow(browser, "http://192.168.1.1", "https://example.com")
        // On the wire: a warning is no part of an answer's own members.
        func found(_ origin: String) throws -> TestAnswer {
            try browser.call("credential.get", ["service": ["type": "origin", "value": origin]])
        }
        let warned = try found("http://192.168.1.1")
        #expect(warned.text("user") == "ann")
        #expect(
            warned.result?["warnings"] as? [String]
                == ["not secure: whoever is on the way to http://192.168.1.1 can read what is filled there"])
        let secure = try found("https://example.com")
        #expect(secure.text("user") == "ann" && secure.result?["warnings"] == nil)
    }

    @Test(
        "An opaque origin, and one of no web page, get a reason",
        arguments: ["null", "file://", "chrome-extension://abc", "about:blank"])
    func opaque(origin: String) throws {
        let browser = try connect()
        #expect(try browser.reasons(for: get(origin)) == ["origin-opaque"])
        let suggested = try browser.answer(
            to: AutofillSuggest(service: .origin(origin), form: FormDescription(.signUp)))
        #expect(suggested.reasons(withholding: "strongPassword") == ["origin-opaque"])
        #expect(
            try browser.answer(to: Diagnose(service: .origin(origin))).evidence(of: "service")?
                .hasSuffix("is the origin of no web page") == true)
    }

    @Test(
        "What is no origin is refused with its fix",
        arguments: [
            ("https://ann@example.com", "Write the host alone after the scheme"),
            ("https://example.com/", "End the origin after the host and its port, without a slash"),
            ("https://example.com?q", "End the origin after the host and its port, without a slash"),
            ("https://bücher.example", "Write xn--bcher-kva.example"), ("example.com", "Write https:// and the host"),
        ])
    func malformed(origin: String, fix: String) throws {
        let refused = try #require(try connect().refusal(of: get(origin)))
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"])
        #expect(refused.fix?.hasPrefix(fix) == true, "\(refused)")
    }

    @Test("An app that is no browser and no helper is refused with its reason; a helper is served")
    func entitled() throws {
        let refused = try #require(try connect(WideRegistrations.shop).refusal(of: get("https://example.com")))
        #expect(refused.reasons.map(\.reason) == ["browser-entitlement-missing"])
        #expect(refused.fix?.contains("com.apple.developer.web-browser") == true)
        try save("example.com")
        let helper = try connect(WideRegistrations.helper)
        try allow(helper, "https://example.com")
        #expect(try helper.answer(to: get("https://example.com")).summary.user == "ann")
        let greeting = try daemon.connect().greet(as: WideRegistrations.browser)
        #expect(greeting.capabilities.contains("origins") && !greeting.capabilities.contains("urls"))
        #expect(greeting.app.reasonNames == [])
    }

    @Test("The grant is for the site and the browser; a mixed-script name shows as its A-label")
    func grants() throws {
        try save("login.example.com")
        let browser = try connect()
        let sent = try browser.send(get("https://login.example.com"))
        let question = try #require(daemon.questions.first)
        #expect(question.service == Service(kind: .domain, value: "example.com"))
        #expect(question.first.description.hasPrefix("Browser wants to fill the password saved for example.com."))
        try daemon.answer(question, .allow)
        #expect(try sent.answer().summary.user == "ann")
        #expect(try connect().answer(to: get("https://www.example.com")).summary.user == "ann")
        let helper = try connect(WideRegistrations.helper)
        #expect(try helper.reasons(for: get("https://www.example.com", .forbid)) == ["interaction-required"])
        // "аpple" with a Cyrillic letter.
        try save("xn--pple-43d.com")
        #expect(try browser.send(get("https://xn--pple-43d.com")).waits)
        #expect(daemon.questions.first?.first.description.contains("saved for xn--pple-43d.com.") == true)
    }

    @Test("A grant and a denial by command are for the site too")
    func commands() throws {
        try save("example.com")
        let user = try daemon.user()
        func allow(_ service: ServiceIdentifier) -> GrantAllow {
            GrantAllow(bundleID: WideRegistrations.browser, service: service, proof: .test)
        }
        let site = ServiceIdentifier(domain: "example.com")
        #expect(try user.answer(to: allow(.origin("https://login.example.com"))).grants.map(\.service) == [site])
        let browser = try connect()
        let get = get("https://www.example.com", .forbid)
        #expect(try browser.answer(to: get).summary.user == "ann")
        for service in [ServiceIdentifier(domain: "a.example.com"), .origin("https://example.com")] {
            try user.answer(to: GrantDeny(bundleID: WideRegistrations.browser, .service(service), proof: .test))
            #expect(try browser.reasons(for: get) == ["grant-denied"])
            try user.answer(to: allow(site))
        }
        #expect(try user.reasons(for: allow(.url("x"))) == ["helper-entitlement-missing"])
    }
}

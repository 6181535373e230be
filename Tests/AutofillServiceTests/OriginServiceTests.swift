// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Prompting
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
        daemon = try TestService(consent: .person, registrations: registrations.path)
    }

    private func connect(_ app: String = WideRegistrations.browser) throws -> ServiceConnection {
        let connection = daemon.connect(app.hasSuffix("ctl") ? .plainProcess : .systemProgram)
        try connection.hello(app)
        return connection
    }

    private func person() throws -> ServiceConnection { try connect("org.autofilld.autofillctl") }

    @discardableResult
    private func save(_ service: [String: Any], _ user: String = "ann") throws -> String {
        let saved = try person().call(
            "credential.save",
            ["service": service, "user": user, "password": "of \(user)", "proof": Examples.proof])
        return try #require(saved.text("credential"), "\(saved)")
    }

    private func domain(_ name: String) -> [String: Any] { ["type": "domain", "value": name] }

    /// Has the person allow a browser a page's site.
    private func allow(_ browser: ServiceConnection, _ origin: String, _ answer: ConsentAnswer = .allow) throws {
        #expect(try browser.send("credential.list", ["service": WideRegistrations.origin(origin)]).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), answer)
        _ = try browser.answers()
    }

    private func users(_ browser: ServiceConnection, _ origin: String) throws -> [String] {
        let answer = try browser.call(
            "autofill.suggest", ["service": WideRegistrations.origin(origin), "fields": Examples.signIn])
        let list = answer.suggestion("savedCredentials")?["credentials"] as? [[String: Any]] ?? []
        return list.compactMap { $0["user"] as? String }.sorted()
    }

    @Test("What is saved for a name of a site is offered at its others, and never across a public suffix")
    func site() throws {
        try save(domain("example.com"), "ann")
        try save(domain("login.example.com"), "bob")
        try save(domain("example.org"), "carl")
        try save(domain("ann.github.io"), "dora")
        try save(domain("shop.co.uk"), "emil")
        let browser = try connect()
        for origin in ["https://example.com", "https://ann.github.io", "https://shop.co.uk", "https://bob.github.io"] {
            try allow(browser, origin)
        }
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
        try save(WideRegistrations.origin("https://github.io"), "ann")
        try save(domain("shop.github.io"), "bob")
        let browser = try connect()
        for origin in ["https://github.io", "https://shop.github.io"] { try allow(browser, origin) }
        #expect(try users(browser, "https://github.io") == ["ann"])
        #expect(try users(browser, "https://shop.github.io") == ["bob"])
        #expect(try users(browser, "https://co.uk").isEmpty)
    }

    @Test("localhost, addresses and names of one part match scheme, host and port")
    func exact() throws {
        let origins = [
            "http://localhost:3000", "http://localhost", "https://localhost:3000", "http://192.168.1.1",
            "https://192.168.1.1",
            "http://router", "http://app.localhost:3000", "https://8.8.8.8", "http://[::1]:3000",
        ]
        for (number, origin) in origins.enumerated() { try save(WideRegistrations.origin(origin), "u\(number)") }
        let browser = try connect()
        for origin in origins { try allow(browser, origin) }
        for (number, origin) in origins.enumerated() {
            let found = try browser.call("credential.get", ["service": WideRegistrations.origin(origin)])
            #expect(found.text("user") == "u\(number)", "\(origin)")
            #expect(WideRegistrations.service(of: found) == ["type": "origin", "value": origin])
        }
        #expect(
            try browser.call(
                "credential.get",
                ["service": WideRegistrations.origin("http://localhost:3001"), "interaction": "forbid"]
            ).reasons == ["interaction-required"])
    }

    @Test("https on a registrable domain saves as the domain of its host, which an app of that domain shares")
    func sharedWithApps() throws {
        let browser = try connect()
        let saved = try browser.call(
            "credential.save",
            ["service": WideRegistrations.origin("https://shop.example.com"), "user": "ann", "password": "1"])
        #expect(saved.error == nil)
        let found = try browser.call(
            "credential.get", ["service": WideRegistrations.origin("https://shop.example.com")])
        #expect(WideRegistrations.service(of: found) == ["type": "domain", "value": "shop.example.com"])
        let shop = try connect(WideRegistrations.shop)
        #expect(try shop.send("credential.get", ["service": Examples.shop]).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try shop.answers().map { $0.text("user") } == ["ann"])
        // An app's associated domain is that domain alone.
        try save(domain("example.com"), "bob")
        #expect(try shop.send("credential.list", ["service": Examples.shop]).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        let listed = try #require(try shop.answers().first?.result?["credentials"] as? [[String: Any]])
        #expect(listed.map { $0["user"] as? String } == ["ann"])
    }

    @Test("http on a public host is refused, and what was saved over https never goes to http")
    func notSecure() throws {
        try save(domain("example.com"))
        let id = try save(WideRegistrations.origin("https://localhost"))
        let browser = try connect()
        try allow(browser, "https://example.com")
        try allow(browser, "https://localhost")
        let refused = try browser.call("credential.get", ["service": WideRegistrations.origin("http://example.com")])
        #expect(refused.reasons == ["origin-not-secure"])
        #expect(refused.fixes.first?.hasPrefix("Serve http://example.com over https") == true)
        let suggested = try browser.call(
            "autofill.suggest", ["service": WideRegistrations.origin("http://example.com"), "fields": Examples.signUp])
        #expect(suggested.withheld["strongPassword"] == ["origin-not-secure"])
        try allow(browser, "http://localhost")
        #expect(
            try browser.call("credential.get", ["service": WideRegistrations.origin("http://localhost")]).reasons
                == ["credential-not-found"])
        #expect(
            try browser.call(
                "autofill.fill",
                ["credential": id, "page": WideRegistrations.origin("http://localhost"), "fields": Examples.signIn]
            ).reasons == ["credential-not-found"])
    }

    @Test("http at a private address is served with a warning")
    func warning() throws {
        try save(WideRegistrations.origin("http://192.168.1.1"))
        let browser = try connect()
        try allow(browser, "http://192.168.1.1")
        let found = try browser.call("credential.get", ["service": WideRegistrations.origin("http://192.168.1.1")])
        #expect(found.text("user") == "ann")
        #expect(
            found.result?["warnings"] as? [String]
                == ["not secure: whoever is on the way to http://192.168.1.1 can read what is filled there"])
        try save(domain("example.com"))
        try allow(browser, "https://example.com")
        let secure = try browser.call("credential.get", ["service": WideRegistrations.origin("https://example.com")])
        #expect(secure.result?["warnings"] == nil)
    }

    @Test(
        "An opaque origin, and one of no web page, get a reason",
        arguments: ["null", "file://", "chrome-extension://abc", "about:blank"])
    func opaque(origin: String) throws {
        let browser = try connect()
        #expect(
            try browser.call("credential.get", ["service": WideRegistrations.origin(origin)]).reasons == [
                "origin-opaque"
            ])
        let suggested = try browser.call(
            "autofill.suggest", ["service": WideRegistrations.origin(origin), "fields": Examples.signUp])
        #expect(suggested.withheld["strongPassword"] == ["origin-opaque"])
        #expect(
            try browser.call("diagnose", ["service": WideRegistrations.origin(origin)]).evidence(of: "service")?
                .hasSuffix("is the origin of no web page") == true)
    }

    @Test(
        "What is no origin is refused with what mends it",
        arguments: [
            ("https://ann@example.com", "Write the host alone after the scheme"),
            ("https://example.com/", "End the origin after the host and its port, without a slash"),
            ("https://example.com?q", "End the origin after the host and its port, without a slash"),
            ("https://bücher.example", "Write xn--bcher-kva.example"), ("example.com", "Write https:// and the host"),
        ])
    func malformed(origin: String, fix: String) throws {
        let answer = try connect().call("credential.get", ["service": WideRegistrations.origin(origin)])
        #expect(answer.problem == "parameter-invalid")
        #expect(answer.fixes.first?.hasPrefix(fix) == true, "\(answer.fixes)")
    }

    @Test("An app that is no browser and no helper is refused with its reason; a helper is served")
    func entitled() throws {
        let page = WideRegistrations.origin("https://example.com")
        let refused = try connect(WideRegistrations.shop).call("credential.get", ["service": page])
        #expect(refused.reasons == ["browser-entitlement-missing"])
        #expect(refused.fixes.first?.contains("com.apple.developer.web-browser") == true)
        try save(domain("example.com"))
        let helper = try connect(WideRegistrations.helper)
        try allow(helper, "https://example.com")
        #expect(try helper.call("credential.get", ["service": page]).text("user") == "ann")
        let browser = daemon.connect()
        let greeting = try browser.hello(WideRegistrations.browser)
        let capabilities = greeting.result?["capabilities"] as? [String]
        #expect(capabilities?.contains("origins") == true && capabilities?.contains("urls") == false)
        #expect((greeting.result?["app"] as? [String: Any])?["reasonNames"] as? [String] == [])
    }

    @Test("The grant is for the site and the browser; a mixed-script name shows as its A-label")
    func grants() throws {
        try save(domain("login.example.com"))
        let browser = try connect()
        #expect(
            try browser.send("credential.get", ["service": WideRegistrations.origin("https://login.example.com")])
                .isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.service == Service(kind: .domain, value: "example.com"))
        #expect(question.first.description.hasPrefix("Browser wants to fill the password saved for example.com."))
        try daemon.answer(question, .allow)
        #expect(try browser.answers().map { $0.text("user") } == ["ann"])
        #expect(
            try connect().call("credential.get", ["service": WideRegistrations.origin("https://www.example.com")])
                .text("user") == "ann")
        let helper = try connect(WideRegistrations.helper)
        #expect(
            try helper.call(
                "credential.get",
                ["service": WideRegistrations.origin("https://www.example.com"), "interaction": "forbid"]
            ).reasons == ["interaction-required"])
        // "аpple" with a Cyrillic letter.
        try save(domain("xn--pple-43d.com"))
        #expect(
            try browser.send("credential.get", ["service": WideRegistrations.origin("https://xn--pple-43d.com")])
                .isEmpty)
        #expect(daemon.questions.first?.first.description.contains("saved for xn--pple-43d.com.") == true)
    }

    @Test("A grant and a denial by command are for the site too")
    func commands() throws {
        try save(domain("example.com"))
        let allowed = try person().call(
            "admin.grant.allow",
            [
                "bundleID": WideRegistrations.browser, "service": WideRegistrations.origin("https://login.example.com"),
                "proof": Examples.proof,
            ])
        let grants = try #require(allowed.result?["grants"] as? [[String: Any]], "\(allowed)")
        #expect(grants.map { $0["service"] as? [String: String] } == [["type": "domain", "value": "example.com"]])
        let browser = try connect()
        let get: [String: Any] = [
            "service": WideRegistrations.origin("https://www.example.com"), "interaction": "forbid",
        ]
        #expect(try browser.call("credential.get", get).text("user") == "ann")
        for service in [domain("a.example.com"), WideRegistrations.origin("https://example.com")] {
            #expect(
                try person().call(
                    "admin.grant.deny",
                    ["bundleID": WideRegistrations.browser, "service": service, "proof": Examples.proof]
                ).error == nil)
            #expect(try browser.call("credential.get", get).reasons == ["grant-denied"])
            _ = try person().call(
                "admin.grant.allow",
                ["bundleID": WideRegistrations.browser, "service": domain("example.com"), "proof": Examples.proof])
        }
        #expect(
            try person().call(
                "admin.grant.allow",
                ["bundleID": WideRegistrations.browser, "service": WideRegistrations.url("x"), "proof": Examples.proof]
            ).reasons == ["helper-entitlement-missing"])
    }
}

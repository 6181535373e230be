// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import Prompting
import SecretMemory
import Support
import Testing

@Suite(
    "Events for browsers",
    .enabled(
        if: access("/usr/share/publicsuffix/public_suffix_list.dat", R_OK) == 0, "needs Debian's package publicsuffix"))
struct PageEventTests {
    private let registrations: TestRegistrations
    private let daemon: TestService
    private let user: ServiceConnection

    init() throws {
        registrations = try WideRegistrations.folder()
        daemon = try TestService(consent: .user, registrations: registrations.path)
        user = daemon.connect(.plainProcess)
        try user.greet(as: "org.autofilld.autofillctl")
    }

    private func listener(_ app: String = WideRegistrations.browser) throws -> ServiceConnection {
        let connection = daemon.connect(.systemProgram)
        try connection.greet(as: app)
        try connection.answer(to: EventSubscribe())
        return connection
    }

    @discardableResult
    private func save(_ type: String, _ value: String, _ password: String) throws -> String {
        let service = ServiceIdentifier(type: type, value: value)
        return try user.answer(
            to: CredentialSave(service: service, user: "ann", password: SecretBytes(utf8: password), proof: .test)
        ).credential
    }

    private func allow(_ browser: ServiceConnection, _ origin: String) throws {
        let sent = try browser.send(CredentialList(service: .origin(origin)))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        try sent.answer()
    }

    /// The services of which a connection was notified that a credential was saved or deleted.
    private func changes(_ connection: ServiceConnection) throws -> [String] {
        try connection.events().compactMap { event in
            guard case .credentialsChanged(let service?, _, let change?) = event.content else { return nil }
            return "\(change) \(service.value)"
        }
    }

    @Test(
        "A browser is notified of what changed at the sites that it may fill, at any of their hosts, and of no other site"
    )
    func granted() throws {
        let (browser, other) = (try listener(), try listener(WideRegistrations.shop))
        try save("domain", "login.example.com", "one")
        #expect(try changes(browser).isEmpty, "before the user's consent nobody learns what is saved where")
        try allow(browser, "https://www.example.com")
        let changed = try save("domain", "login.example.com", "two")
        try save("domain", "example.net", "three")
        try save("domain", "ann.github.io", "four")
        try user.answer(to: CredentialDelete(credential: changed, proof: .test))
        #expect(try changes(browser) == ["saved login.example.com", "deleted login.example.com"])
        #expect(try changes(other).isEmpty)
    }

    @Test("A grant for one origin is for that one alone: another port receives nothing")
    func origins() throws {
        let browser = try listener()
        try allow(browser, "http://localhost:3000")
        try save("origin", "http://localhost:3000", "one")
        try save("origin", "http://localhost:3001", "two")
        #expect(try changes(browser) == ["saved http://localhost:3000"])
    }

    @Test("Of what it saved itself a browser is notified without a grant, and other browsers are not")
    func own() throws {
        let (browser, other) = (try listener(), try listener(WideRegistrations.helper))
        try browser.answer(to: CredentialSave("ann", "1", at: .origin("https://shop.example.com")))
        #expect(try changes(browser) == ["saved shop.example.com"])
        #expect(try changes(other).isEmpty)
    }
}

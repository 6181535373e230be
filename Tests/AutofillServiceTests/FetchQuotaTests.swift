// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import SecretMemory
import Settings
import Support
import Testing

/// What one app can have sites asked for.
@Suite("Shares of what sites are asked")
struct FetchQuotaTests {
    private static func registration(_ app: String, _ domains: [String]) throws -> String {
        let registration: [String: Any] = [
            "bundleID": app, "name": app,
            "entitlements": [
                "com.apple.developer.associated-domains": domains.map { "webcredentials:\($0)" },
                "com.apple.developer.authentication-services.autofill-credential-provider": true,
            ],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: registration), as: UTF8.self)
    }

    private func save(_ domain: String) -> CredentialSave {
        CredentialSave(
            service: ServiceIdentifier(domain: domain), user: "ann", password: SecretBytes(utf8: "secret"))
    }

    /// attacks.md, one sandboxed app, 6
    @Test("256 silent domains of one app use its own quota, and another app's site is asked at once")
    func silent() throws {
        // The last one is the other app's too.
        let many = (0..<255).map { "silent\($0).example.net" } + ["shop.example.com"]
        let registrations = try TestRegistrations([
            "org.example.Many": try Self.registration("org.example.Many", many),
            "org.example.Shop": try Self.registration("org.example.Shop", ["shop.example.com"]),
        ])
        let daemon = try TestService(siteAssociation: .required, registrations: registrations.path)
        daemon.areSitesSilent = true
        let apps = try (0..<8).map { _ in
            let app = daemon.connect()
            try app.greet(as: "org.example.Many")
            return app
        }
        for (place, domain) in many.enumerated() { _ = try apps[place % 8].send(save(domain)) }
        #expect(daemon.askedSites.count == Limits.associationFetchesPerApp)
        let shop = daemon.connect()
        try shop.greet()
        let saved = try shop.send(save("shop.example.com"))
        let query = AssociationQuery(domain: "shop.example.com", mode: .standard)
        #expect(daemon.askedSites.contains(query))
        try daemon.answer(query, with: .listing(["org.example.Shop"], to: query))
        #expect(try saved.answer().changed)
        // Each one that ends frees capacity for the next one of the app.
        let first = try #require(daemon.askedSites.first)
        try daemon.answer(first, with: .unavailable(first, "silent"))
        #expect(daemon.askedSites.count == Limits.associationFetchesPerApp && !daemon.askedSites.contains(first))
    }

    /// attacks.md, one sandboxed app, 6
    @Test("Names below a wildcard are asked of nobody: what speaks for them is the wildcard's own domain")
    func wildcard() throws {
        let registrations = try TestRegistrations([
            "org.example.Shop": try Self.registration("org.example.Shop", ["*.example.com"])
        ])
        let daemon = try TestService(siteAssociation: .required, registrations: registrations.path)
        daemon.areSitesSilent = true
        let app = daemon.connect()
        try app.greet()
        for name in 0..<20 {
            let domain = "byte\(name).secret.example.com"
            _ = try app.send(save(domain))
            _ = try app.send(
                AutofillSuggest(service: ServiceIdentifier(domain: domain), form: FormDescription(.signUp)))
            _ = try app.send(DomainRefresh(domain: .name(domain)))
        }
        #expect(Set(daemon.askedSites) == [AssociationQuery(domain: "example.com", mode: .standard)])
    }
}

// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import SiteKnowledge
import Testing

@Suite("Public data about sites")
struct PublicSiteDataTests {
    private let sites = PublicSiteData(
        rules: [
            "example.com": .init(descriptor: "minlength: 9", isExact: false),
            "exact.example.org": .init(descriptor: "minlength: 10", isExact: true),
            "shop.example.com": .init(descriptor: "minlength: 11", isExact: false),
        ],
        groups: [
            .init(from: ["a.example", "b.example", "c.example"], to: nil),
            .init(from: ["old.example"], to: ["new.example", "newer.example"]),
        ],
        changePassword: ["example.com": "https://example.com/password"], appendsCode: ["bank.example.com"])

    private func name(_ text: String) throws -> DomainName { try DomainName(text) }

    @Test("The nearest name's rules hold, below it too unless they are for that very name")
    func rules() throws {
        #expect(try sites.passwordRules(for: name("example.com"))?.descriptor == "minlength: 9")
        #expect(try sites.passwordRules(for: name("www.shop.example.com"))?.of == "shop.example.com")
        #expect(try sites.passwordRules(for: name("other.example.com"))?.of == "example.com")
        #expect(try sites.passwordRules(for: name("exact.example.org"))?.descriptor == "minlength: 10")
        #expect(try sites.passwordRules(for: name("www.exact.example.org")) == nil)
        #expect(try sites.passwordRules(for: name("notexample.com")) == nil)
    }

    @Test("All of a group share with all; credentials of a former name are valid at the new one only")
    func groups() throws {
        #expect(try sites.domainsSharing(with: name("a.example")) == ["b.example", "c.example"])
        #expect(try sites.domainsSharing(with: name("www.a.example")) == ["b.example", "c.example"])
        #expect(try sites.domainsSharing(with: name("evil.a.example")) == [])
        #expect(try sites.domainsSharing(with: name("new.example")) == ["newer.example", "old.example"])
        #expect(try sites.domainsSharing(with: name("old.example")) == [])
        #expect(try sites.domainsServed(by: name("old.example")) == ["new.example", "newer.example"])
        #expect(try sites.domainsServed(by: name("new.example")) == ["newer.example"])
        #expect(try sites.domainsServed(by: name("b.example")) == ["a.example", "c.example"])
    }

    @Test("A credential is valid at a domain exactly where that domain shares with its own")
    func symmetry() throws {
        let names = ["a.example", "b.example", "c.example", "old.example", "new.example", "newer.example"]
        for one in names {
            for other in names where other != one {
                let shares = try sites.domainsSharing(with: name(one)).contains(other)
                #expect(try sites.domainsServed(by: name(other)).contains(one) == shares, "\(one) \(other)")
            }
        }
    }

    @Test("Where a password is changed, and whether a code follows it, applies below the name too")
    func addresses() throws {
        #expect(try sites.changePasswordAddress(for: name("www.example.com")) == "https://example.com/password")
        #expect(try sites.changePasswordAddress(for: name("example.org")) == nil)
        #expect(try sites.appendsCode(name("login.bank.example.com")))
        #expect(try !sites.appendsCode(name("example.com")))
    }
}

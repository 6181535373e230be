// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Associated domains")
struct AssociatedDomainTests {
    @Test(
        "An entry is written back in its canonical form",
        arguments: [
            ("webcredentials:example.com", "webcredentials:example.com"),
            ("webcredentials:Example.COM", "webcredentials:example.com"),
            ("webcredentials:*.example.com", "webcredentials:*.example.com"),
            ("webcredentials:example.com?mode=developer", "webcredentials:example.com?mode=developer"),
            ("webcredentials:*.example.com?mode=developer", "webcredentials:*.example.com?mode=developer"),
        ])
    func canonical(text: String, written: String) throws {
        #expect(try AssociatedDomain(text).description == written)
    }

    @Test("A plain entry covers its domain alone")
    func plain() throws {
        let entry = try AssociatedDomain("webcredentials:example.com")
        #expect(entry.covers(try DomainName("example.com")))
        #expect(!entry.covers(try DomainName("shop.example.com")))
    }

    @Test("A wildcard covers one or more labels below its domain, and not the domain")
    func wildcard() throws {
        let entry = try AssociatedDomain("webcredentials:*.example.com")
        #expect(entry.covers(try DomainName("shop.example.com")))
        #expect(entry.covers(try DomainName("a.b.example.com")))
        #expect(!entry.covers(try DomainName("example.com")))
        #expect(!entry.covers(try DomainName("badexample.com")))
    }

    @Test(
        "Each way of being wrong has an error of its own",
        arguments: [
            ("example.com", AssociatedDomainError.missingService(suggestion: "webcredentials:example.com")),
            ("localhost", .missingService(suggestion: nil)),
            ("", .missingService(suggestion: nil)),
            ("applinks:example.com", .ignoredService("applinks")),
            ("appclips:*", .ignoredService("appclips")),
            ("WebCredentials:example.com", .unknownService("WebCredentials")),
            ("https://example.com", .unknownService("https")),
            (" webcredentials:example.com", .unknownService(" webcredentials")),
            ("webcredentials:*.com", .wildcardTooWide),
            ("webcredentials:*", .domain(.wildcard)),
            ("webcredentials:a.*.example.com", .domain(.wildcard)),
            ("webcredentials:*.*.example.com", .domain(.wildcard)),
            ("webcredentials:*.1.2.3.4", .domain(.addressLiteral)),
            ("webcredentials:", .domain(.empty)),
            ("webcredentials:example.com:8443", .domain(.port)),
            ("webcredentials:https://example.com", .domain(.scheme)),
            ("webcredentials:example.com/", .domain(.path)),
            ("webcredentials:example.com?mode=managed", .unknownMode("?mode=managed")),
            ("webcredentials:example.com?mode=developer ", .unknownMode("?mode=developer ")),
            ("webcredentials:example.com?", .unknownMode("?")),
        ])
    func refused(text: String, error: AssociatedDomainError) {
        #expect(throws: error) { try AssociatedDomain(text) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Settings
import Support
import Testing

@testable import CredentialStorage

@Suite("What is stored about sites")
struct StoredSiteTests {
    private static let day: Int64 = 86_400_000
    private let registrations: TestRegistrations
    private let daemon: TestService

    init() throws {
        registrations = try TestRegistrations([:])
        daemon = try TestService(siteAssociation: .required, registrations: registrations.path)
        daemon.sites = { .listing([], to: $0) }
    }

    private func register(_ app: String, _ domains: [String]) throws {
        let entries = domains.map { "\"webcredentials:\($0)\"" }.joined(separator: ", ")
        let text = """
            {"bundleID": "\(app)", "name": "App", "entitlements": {
            "com.apple.developer.associated-domains": [\(entries)],
            "com.apple.developer.authentication-services.autofill-credential-provider": true}}
            """
        try text.write(toFile: "\(registrations.path)/\(app).json", atomically: true, encoding: .utf8)
        try daemon.onEngine { $0.readFiles() }
    }

    /// Has the sites of an app asked.
    private func connect(_ app: String) throws {
        let connection = daemon.connect()
        try connection.greet(as: app)
        try connection.disconnect()
    }

    private func keepUp() throws {
        daemon.clock.advance(milliseconds: 60_000)
        try daemon.begin { await $0.keepUp() }
    }

    private func isStored(_ domain: String) throws -> Bool {
        try #require(daemon.vault).readers.settings.get("association/standard/\(domain)") != nil
    }

    @Test("It is deleted with the registration, and after a registration was rewritten")
    func deleted() throws {
        for number in 0..<3 {
            try register("org.example.Shop", ["s\(number).example.com"])
            try connect("org.example.Shop")
            try keepUp()
            for other in 0..<3 { #expect(try isStored("s\(other).example.com") == (other == number)) }
        }
        try FileManager.default.removeItem(atPath: "\(registrations.path)/org.example.Shop.json")
        try daemon.onEngine { $0.readFiles() }
        try keepUp()
        #expect(try !isStored("s2.example.com"))
    }

    @Test("What nobody has registered since before the start is deleted when the site's statement has expired")
    func expired() throws {
        let former = try StoredSiteTests()
        try former.register("org.example.Shop", ["gone.example.com"])
        try former.connect("org.example.Shop")
        let name = "association/standard/gone.example.com"
        let stored = try #require(try former.daemon.vault?.readers.settings.get(name))
        try daemon.vault?.writers.settings.set(name, to: stored, at: daemon.clock.now)
        try register("org.example.Shop", ["shop.example.com"])
        try connect("org.example.Shop")
        try keepUp()
        #expect(try isStored("gone.example.com"))
        daemon.clock.advance(milliseconds: 8 * Self.day)
        try keepUp()
        #expect(try !isStored("gone.example.com") && isStored("shop.example.com"))
    }

    @Test("It is bounded, and the oldest is deleted first")
    func bounded() throws {
        for app in 0..<70 {
            try register("org.example.App\(app)", (0..<16).map { "s\($0).app\(app).example.com" })
            try connect("org.example.App\(app)")
        }
        let all = try (0..<70).flatMap { app in
            try (0..<16).map { try isStored("s\($0).app\(app).example.com") }
        }
        #expect(all.count { $0 } == 1024 && all.suffix(16).allSatisfy { $0 } && !all.prefix(16).contains(true))
    }

    @Test("Where it cannot be stored the journal has the fault, and the site's statement counts all the same")
    func notStored() throws {
        daemon.vault?.limits.recordBytes = 16
        daemon.sites = { .listing(["org.example.Shop"], to: $0) }
        try register("org.example.Shop", ["shop.example.com"])
        let connection = daemon.connect()
        try connection.greet(as: "org.example.Shop")
        #expect(try !isStored("shop.example.com"))
        #expect(try connection.answer(to: DomainGet(domain: "shop.example.com")).siteState == "approved")
        let fault = "[AutoFill] Fault: what sites state could not be stored"
        let faults = daemon.journal.filter { $0.message.hasPrefix(fault) }
        #expect(faults.count == 1 && faults.first?.level == .error)
        #expect(faults.first?.message.contains("shop.example.com") == false)
    }
}

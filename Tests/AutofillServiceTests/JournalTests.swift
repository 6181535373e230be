// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import SecretMemory
import Settings
import Support
import Testing

@Suite("What is written to the journal")
struct JournalTests {
    private func refuse(_ settings: DaemonSettings, _ domains: [String]) throws -> [JournalEvent] {
        let daemon = try TestService(settings: settings)
        let shop = daemon.connect()
        try shop.greet()
        for domain in domains {
            _ = try shop.refusal(of: CredentialGet(service: ServiceIdentifier(domain: domain)))
        }
        return daemon.journal.filter { $0.refusal != nil }
    }

    @Test("Domains are written in full, as a hash that is the same for the same domain, or not at all")
    func domains() throws {
        let domains = ["bank.example.com", "mail.example.com", "bank.example.com"]
        var settings = DaemonSettings()
        #expect(Set(try refuse(settings, domains).map(\.domain)) == ["bank.example.com", "mail.example.com"])
        settings.journalDomains = .hashed
        let hashes = try refuse(settings, domains).compactMap(\.domain)
        #expect(Set(hashes).count == 2)
        #expect(hashes.allSatisfy { $0.wholeMatch(of: #/#[0-9a-f]{16}/#) != nil })
        #expect(Set(try refuse(settings, domains).compactMap(\.domain)).isDisjoint(with: hashes), "another key")
        settings.journalDomains = .hidden
        let hidden = try refuse(settings, domains)
        #expect(hidden.count == 2 && hidden.allSatisfy { $0.domain == nil })
        #expect(!hidden.contains { "\($0.message)\($0.refusal?.fixForJournal ?? "")".contains("example.com") })
    }

    @Test("The log level holds from the moment it is set, and lets faults and refusals through by its value")
    func level() throws {
        let daemon = try TestService()
        let control = daemon.connect()
        try control.greet(as: "org.autofilld.autofillctl")
        func levels() throws -> Set<DaemonSettings.LogLevel> {
            let known = daemon.journal.count
            try control.answer(
                to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret"), proof: .test))
            try control.answer(to: CredentialGet(service: .shop, user: "ann", proof: .test))
            _ = try control.refusal(of: CredentialGet(service: .bank))
            daemon.clock.advance(milliseconds: 60_000)
            return Set(daemon.journal[known...].map(\.level))
        }
        func set(_ level: String) throws {
            try control.answer(to: SettingSet(setting: "logLevel", value: .string(level), proof: .test))
        }
        #expect(try levels() == [.info, .notice])
        try set("debug")
        #expect(try levels() == [.debug, .info, .notice])
        try set("notice")
        #expect(try levels() == [.notice])
        try set("warning")
        #expect(try levels().isEmpty)
    }

    @Test("A change of settings is noted by name")
    func changes() throws {
        let daemon = try TestService()
        let control = daemon.connect()
        try control.greet(as: "org.autofilld.autofillctl")
        try control.answer(to: SettingSet(setting: "strongPasswordBits", value: .integer(100)))
        #expect(daemon.journal.compactMap(\.settings) == ["strongPasswordBits"])
    }
}

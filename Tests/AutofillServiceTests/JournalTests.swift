// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Settings
import Support
import Testing

@Suite("What goes to the journal")
struct JournalTests {
    private func refuse(_ settings: DaemonSettings, _ domains: [String]) throws -> [JournalEvent] {
        let daemon = try TestService(settings: settings)
        let shop = daemon.connect()
        try shop.hello()
        for domain in domains {
            try shop.call("credential.get", ["service": ["type": "domain", "value": domain]])
        }
        return daemon.journal.filter { $0.refusal != nil }
    }

    @Test("Domains stand there in full, as a hash that is the same for the same domain, or not at all")
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

    @Test("The log level holds from the moment it is set, and lets faults and refusals by as it says")
    func level() throws {
        let daemon = try TestService()
        let control = daemon.connect()
        try control.hello("org.autofilld.autofillctl")
        func levels() throws -> Set<DaemonSettings.LogLevel> {
            let known = daemon.journal.count
            try control.call(
                "credential.save",
                ["service": Examples.shop, "user": "ann", "password": "secret", "proof": Examples.proof])
            try control.call("credential.get", ["service": Examples.shop, "user": "ann", "proof": Examples.proof])
            try control.call("credential.get", ["service": Examples.bank])
            daemon.clock.advance(milliseconds: 60_000)
            return Set(daemon.journal[known...].map(\.level))
        }
        func set(_ level: String) throws {
            let change: [String: Any] = ["setting": "logLevel", "value": level, "proof": Examples.proof]
            #expect(try control.call("admin.setting.set", change).error == nil)
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
        try control.hello("org.autofilld.autofillctl")
        try control.call("admin.setting.set", ["setting": "strongPasswordBits", "value": 100])
        #expect(daemon.journal.compactMap(\.settings) == ["strongPasswordBits"])
    }
}

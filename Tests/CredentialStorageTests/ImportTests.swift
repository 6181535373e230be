// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Imports: the dry run, the rules for conflicts, and nothing lost")
struct ImportTests {
    @Test("A dry run counts what is new, identical and in conflict, also within the file, and saves nothing")
    func dryRun() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("same.example", "ann", "p")
        try vault.writers.credentials.save("other.example", "ann", "saved")
        let staging = try ImportStaging.of([
            .of("same.example", password: "p"), .of("other.example", password: "file", line: 3),
            .of("new.example", password: "x"), .of("new.example", password: "x"),
            .of("new.example", password: "y", line: 9), .of("new.example", user: "bob", password: "y"),
        ])
        let counts = try vault.review(staging)
        #expect(counts.entries == 6 && counts.new == 2 && counts.identical == 2 && counts.conflicts == 2)
        let first = try staging.rows(after: 0, limit: 1)
        #expect(first.rows.map(\.entry.line) == [3] && first.rows[0].saved == .at() && first.next == 1)
        let second = try staging.rows(after: 1, limit: 10)
        #expect(second.rows.map(\.entry.line) == [9] && second.rows[0].saved == nil && second.next == nil)
        #expect(try vault.saved("new.example") == nil)
        #expect(try vault.saved("other.example")?.password.text == "saved")
    }

    @Test("Of two passwords the one that was changed last is current, and the other one is a former one")
    func newer() throws {
        let vault = try Vault.new()
        for domain in ["older.example", "newer.example", "timeless.example"] {
            try vault.writers.credentials.save(domain, "ann", "saved", at: .at(1000))
        }
        let entries: [ImportEntry] = [
            .of("older.example", password: "file", changed: 500), .of("newer.example", password: "file", changed: 2000),
            .of("timeless.example", password: "file"),
        ]
        let report = try vault.commit(entries)
        #expect(report.changed == 3 && report.added == 0 && report.identical == 0)
        #expect(try vault.passwords("older.example") == ["saved", "file"])
        #expect(try vault.passwords("newer.example") == ["file", "saved"])
        #expect(try vault.passwords("timeless.example") == ["saved", "file"])
        let again = try vault.commit(entries)
        #expect(again.identical == 3 && again.changed == 0)
        #expect(try vault.check().isIntact)
    }

    @Test("Notes, title, folder, tags, fields, codes, sites and passkeys of both are there after an import")
    func merged() throws {
        let vault = try Vault.new()
        let passkey = Passkey(
            credentialID: "aWQ", relyingParty: "a.example", user: "ann", displayName: "Ann", userHandle: "aA",
            key: SecretBytes(utf8: "a2V5"))
        let entries: [ImportEntry] = [
            .of("a.example", "b.example", password: "p", changed: 5) { entry in
                entry.details = CredentialDetails(
                    label: "Their title", notes: SecretBytes(utf8: "their notes"), tags: ["x", "y"],
                    fields: [
                        CustomField(name: "PIN", value: SecretBytes(utf8: "2"), isSecret: true),
                        CustomField(name: "Same", value: SecretBytes(utf8: "s"), isSecret: false),
                    ], collection: "Their folder")
                entry.oneTimeCode = SecretBytes(utf8: "otpauth://totp/a?secret=MY")
                entry.passkeys = [passkey]
            }
        ]
        try vault.writers.credentials.save("a.example", "ann", "p", at: .at(10))
        let own = try #require(try vault.saved("a.example"))
        _ = try vault.writers.credentials.update(own.id, at: .at(11)) { credential in
            credential.details = CredentialDetails(
                label: "My title", notes: SecretBytes(utf8: "my notes"), tags: ["x"],
                fields: [
                    CustomField(name: "PIN", value: SecretBytes(utf8: "1"), isSecret: true),
                    CustomField(name: "Same", value: SecretBytes(utf8: "s"), isSecret: false),
                ], collection: "Their folder")
        }
        #expect(try vault.commit(entries).changed == 1)
        let merged = try #require(try vault.saved("b.example"))
        #expect(merged.id == own.id && merged.details.label == "My title" && merged.details.tags == ["x", "y"])
        #expect(merged.details.notes?.text == "my notes\n\ntheir notes")
        let fields = merged.details.fields.map { "\($0.name)=\($0.value.text)" }
        #expect(fields == ["PIN=1", "Same=s", "title=Their title", "PIN (imported)=2"])
        #expect(merged.oneTimeCode?.text == "otpauth://totp/a?secret=MY" && merged.passkeys == [passkey])
        #expect(try vault.commit(entries).identical == 1)
    }

    @Test("What does not fit in a credential is reported, and the rest is imported")
    func remarks() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("a.example", "ann", "p")
        try vault.writers.credentials.save("taken.example", "ann", "q")
        let own = try #require(try vault.saved("a.example"))
        _ = try vault.writers.credentials.update(own.id, at: .at(1)) { $0.details.notes = SecretBytes(utf8: "mine") }
        let report = try vault.commit([
            .of("a.example", "taken.example", "c.example", "d.example", "e.example", password: "p") { entry in
                entry.details.notes = SecretBytes(utf8: String(repeating: "n", count: 60))
                entry.details.tags = ["1", "2", "3", "4"]
            }
        ])
        let remarks = report.remarks.compactMap(\.remark)
        #expect(
            remarks == [
                ImportRemark(.notes, .tooLong), ImportRemark(.tag, .tooMany), ImportRemark(.site, .taken),
                ImportRemark(.site, .tooMany),
            ])
        // What is left out of an entry makes it no identical one, where nothing else is new either.
        let again = try vault.commit([
            .of("a.example", password: "p") { $0.details.notes = SecretBytes(utf8: String(repeating: "n", count: 60)) }
        ])
        #expect(again.remarks.compactMap(\.remark) == [ImportRemark(.notes, .tooLong)])
        let saved = try #require(try vault.saved("d.example"))
        #expect(saved.services.count == 3 && saved.details.tags.count == 3 && saved.details.notes?.text == "mine")
        #expect(try vault.passwords("taken.example") == ["q"])
    }

    @Test("Kept both, an entry is saved beside the other under another user name, once")
    func both() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("a.example", "ann", "saved")
        for number in 0..<3 {
            let report = try vault.commit([.of("a.example", password: "file", changed: 9)], .both)
            #expect(report.added == (number == 0 ? 1 : 0) && report.identical == (number == 0 ? 0 : 1))
        }
        #expect(try vault.passwords("a.example") == ["saved"])
        #expect(try vault.passwords("a.example", "ann (imported)") == ["file"])
        #expect(try vault.commit([.of("a.example", password: "third", changed: 9)], .both).added == 1)
        #expect(try vault.passwords("a.example", "ann (imported 2)") == ["third"])
    }

    @Test("Skipped, a conflict stays as it was saved; a choice for one entry is stronger than the rule")
    func skip() throws {
        let vault = try Vault.new()
        for domain in ["a.example", "b.example"] { try vault.writers.credentials.save(domain, "ann", "saved") }
        let report = try vault.commit(
            [
                .of("a.example", password: "file", changed: 9), .of("b.example", password: "file", changed: 9),
                .of("c.example", password: "file"),
            ], .skip, choices: [1: .newer])
        #expect(report.skipped == 1 && report.changed == 1 && report.added == 1)
        #expect(try vault.passwords("a.example") == ["saved"])
        #expect(try vault.passwords("b.example") == ["file", "saved"])
    }

    @Test("An import into a vault that was not compared before finds nothing wrong", arguments: [0, 9])
    func uncompared(_ compared: Int) throws {
        let home = try TemporaryDirectory()
        try Vault.new(home.vault).writers.credentials.insert(Credential.many(500))
        var limits = VaultLimits()
        limits.comparedAtUnlock = compared
        let vault = try Vault.open(home.vault, seed: 3, limits: limits)
        try vault.unlock(.key())
        let report = try vault.commit(ImportEntry.many(1000))
        #expect(report.changed == 500 && report.added == 500)
        #expect(vault.takeFindingsOfReads().isEmpty)
        #expect(try vault.check().isIntact)
    }

    @Test("A staged entry that is not the one that was sealed is refused")
    func sealedStaging() throws {
        let vault = try Vault.new()
        let staging = try ImportStaging.of(ImportEntry.many(2))
        staging.content.sealed.swapAt(0, 1)
        #expect(failure { _ = try vault.review(staging) } == .damaged("entry of an import"))
    }

    @Test("An import has as many entries and bytes as its limits state")
    func capacity() throws {
        var limits = ImportLimits.test
        (limits.entries, limits.bytes) = (3, 1 << 20)
        let staging = ImportStaging(limits: limits, entropy: SeededGenerator(seed: 1))
        try staging.add(ImportEntry.many(2))
        #expect(staging.hasCapacity(for: 1) && !staging.hasCapacity(for: 2))
        limits.bytes = 200
        let short = ImportStaging(limits: limits, entropy: SeededGenerator(seed: 1))
        #expect(short.hasCapacity(for: 1))
        try short.add(ImportEntry.many(2))
        #expect(!short.hasCapacity(for: 1))
    }

    /// 40 worlds; seeded.
    @Test("Under newer and both, every password of the file and of the vault is in the vault after an import")
    func nothingLost() throws {
        for seed in 0..<40 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let vault = try Vault.new(seed: seed + 100)
            var expected: [String: Set<String>] = [:]
            for round in 0..<4 {
                var entries: [ImportEntry] = []
                for number in 0..<Int.random(in: 1...8, using: &generator) {
                    let domain = "d\(Int.random(in: 0..<4, using: &generator)).example"
                    let password = "p\(Int.random(in: 0..<3, using: &generator))"
                    let changed = Int64.random(in: 0..<5, using: &generator)
                    if round == 1, number % 2 == 0 {
                        try vault.writers.credentials.save(domain, "ann", password, at: .at(changed))
                    } else {
                        entries.append(.of(domain, password: password, changed: changed == 0 ? nil : changed))
                    }
                    expected[domain, default: []].insert(password)
                }
                try vault.commit(entries, Bool.random(using: &generator) ? .newer : .both)
            }
            for (domain, passwords) in expected {
                let users = ["ann"] + ["", " 2", " 3", " 4"].map { "ann (imported\($0))" }
                let found = Set(try users.flatMap { try vault.passwords(domain, $0) })
                #expect(found.isSuperset(of: passwords), "seed \(seed), \(domain)")
            }
            #expect(try vault.check().isIntact, "seed \(seed)")
        }
    }
}

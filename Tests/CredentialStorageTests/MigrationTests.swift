// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Versions of the format")
struct MigrationTests {
    @Test("A vault of a later version is refused with that version, and left as it is")
    func later() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        vault.close()
        try Tampering.execute("INSERT INTO grdb_migrations VALUES ('17')", on: directory.database)
        let before = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        #expect(failure { _ = try Vault.open(directory.vault) } == .newer(found: "17"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == before)
        // The lock is free again.
        try Tampering.execute("DELETE FROM grdb_migrations WHERE identifier = '17'", on: directory.database)
        #expect(try Vault.unlocked(directory.vault).password("shop.example", "ann") == "p")
    }

    @Test("A table or column that is not ours is noticed")
    func foreignSchema() throws {
        for sql in [
            "CREATE TABLE extra (a)", "DROP INDEX record_lookup", "ALTER TABLE record RENAME COLUMN sealed TO opened",
            "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END",
        ] {
            let directory = try TemporaryDirectory()
            try Vault.new(directory.vault).close()
            try Tampering.execute(sql, on: directory.database)
            #expect(failure { _ = try Vault.open(directory.vault) } == .damaged("schema"))
        }
    }

    @Test("A list of migrations that no vault has is damage, and the file is left as it is")
    func foreignList() throws {
        for sql in ["DELETE FROM grdb_migrations", "DELETE FROM grdb_migrations WHERE identifier = '1'"] {
            let directory = try TemporaryDirectory()
            try Vault.new(directory.vault).close()
            try Tampering.execute(sql, on: directory.database)
            let content = try Tampering.content(of: directory.database)
            #expect(failure { _ = try Vault.open(directory.vault) } == .damaged("list of migrations"))
            #expect(try Tampering.content(of: directory.database) == content)
        }
    }

    /// The file of the first shipped schema, made once by `AUTOFILL_MAKE_FIXTURE=1` and never again.
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/vault-1.sqlite")

    @Test("A vault of the first schema opens, with all that was in it")
    func firstSchema() throws {
        if ProcessInfo.processInfo.environment["AUTOFILL_MAKE_FIXTURE"] == "1" { try makeFixture() }
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.vaultPath, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.fixture, to: URL(fileURLWithPath: directory.database))
        chmod(directory.database, 0o600)
        let vault = try Vault.open(directory.vault, seed: 8)
        #expect(try vault.unlock(.passphrase("first schema")).findings.isEmpty)
        #expect(try vault.check().isIntact)
        #expect(try vault.slots.list().map(\.label) == ["passphrase", "key", "recovery"])
        let credential = try #require(try vault.readers.credentials.get(for: .domain("shop.example"), user: "ann"))
        #expect(credential.password.text == "second" && credential.previous.map(\.password.text) == ["first"])
        #expect(credential.writer == .shop && credential.created == .at() && credential.changed == .at(1))
        #expect(
            try vault.readers.offers.pending(for: .shop, service: .domain("shop.example"), form: "form", at: .at())
                != nil)
        #expect(try vault.readers.grants.all(app: "org.example.Shop", service: .domain("shop.example")).count == 1)
        #expect(try vault.readers.items.get(accessGroup: "g", service: "s", account: "a")?.data.text == "data")
        #expect(try vault.readers.verifiers.page(after: nil, limit: 9).elements.map(\.hash.text) == ["$scrypt$x"])
        #expect(try vault.readers.settings.get("name")?.text == "value")
        #expect(try vault.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [2, 1])
        #expect(try vault.migrate(at: .at(2))?.records == 6)
        try vault.writers.credentials.save("shop.example", "ann", "third", at: .at(2))
        #expect(try vault.check().isIntact)
        vault.lock()
        let recovery = try RecoveryKey(typed: SecretBytes(utf8: Self.recoveryKey))
        #expect(try vault.unlock(.recovery(recovery)).findings.isEmpty)
        vault.lock()
        #expect(try vault.unlock(.key(7)).findings.isEmpty)
    }

    /// Made by `FullVault` with commit 45000f6, the last one that opened the vault with GRDB and normalised names with
    /// Foundation; with what `described` returned of it.
    private static func full(_ ending: String) -> URL {
        fixture.deletingLastPathComponent().appendingPathComponent("vault-1-full.\(ending)")
    }

    @Test("A vault with all kinds of records, of the time of GRDB, opens, is intact and returns what it returned then")
    func fullVault() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.vaultPath, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.full("sqlite"), to: URL(fileURLWithPath: directory.database))
        let vault = try Vault.open(directory.vault, seed: 8)
        #expect(try vault.unlock(.key()).findings.isEmpty)
        #expect(try vault.described(openedBy: 2) == String(contentsOf: Self.full("json"), encoding: .utf8))
        #expect(try vault.check().isIntact)
        #expect(try vault.migrate(at: .at(99))?.formerFormat == 1)
        // Names that are not in NFC are found under both forms.
        for (domain, user) in [
            ("b\u{FC}cher.example", "zo\u{EB} \u{1F511}"), ("bu\u{308}cher.example", "zoe\u{308} \u{1F511}"),
        ] {
            #expect(try vault.password(domain, user) == "p\u{E4}ss 4")
        }
        vault.lock()
        #expect(try vault.unlock(.passphrase("cafe\u{301} au lait"), at: .at(101)).slot == 1)
        try vault.writers.credentials.save("new.example", "ann", "new", at: .at(102))
        vault.lock()
        let recovery = try RecoveryKey(typed: SecretBytes(utf8: "V3JK-VEMG-D94X-KMRD-DEHH-QUTJ-WVTJ-KF5D"))
        #expect(try vault.unlock(.recovery(recovery), at: .at(104)).findings.isEmpty)
        #expect(try vault.password("new.example", "ann") == "new" && vault.check().isIntact)
    }

    private static let recoveryKey = "C9N4-UZAE-SZJH-T2YK-V8LV-PZ4G-8V78-FJNV"

    private func makeFixture() throws {
        guard !FileManager.default.fileExists(atPath: Self.fixture.path) else { return }
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault, seed: 1)
        var generator = SeededGenerator(seed: 1)
        let recovery = RecoveryKey.random(using: &generator)
        #expect(recovery.grouped.text == Self.recoveryKey)
        try vault.create(
            [
                .test(.passphrase("first schema"), label: "passphrase", seed: 11),
                .test(.key(7), label: "key", seed: 12),
                .test(.recovery(recovery), label: "recovery", seed: 13),
            ], at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "first")
        try vault.writers.credentials.save("shop.example", "ann", "second", at: .at(1))
        try vault.writers.offers.insert(Offer.test(1))
        _ = try vault.writers.grants.put(
            Grant(
                id: ObjectID(kind: .grant, high: 1, low: 1), subject: .shop, service: .domain("shop.example"),
                decision: .allow, created: .at(), origin: "command"))
        _ = try vault.setItem(accessGroup: "g", service: "s", account: "a", data: SecretBytes(utf8: "data"), at: .at())
        _ = try vault.writers.verifiers.put(
            Verifier(
                id: ObjectID(kind: .verifier, high: 1, low: 1), accessGroup: "g", service: "s", account: "a",
                hash: SecretBytes(utf8: "$scrypt$x"), created: .at(), changed: .at()))
        try vault.writers.settings.set("name", to: SecretBytes(utf8: "value"), at: .at())
        for number in 1...2 { try vault.releases.append(.test(Int64(number))) }
        vault.close()
        try FileManager.default.createDirectory(
            at: Self.fixture.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.database, toPath: Self.fixture.path)
    }
}

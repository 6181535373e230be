// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("An import is reverted for a day")
struct RevertedImportTests {
    private static let day: Int64 = 86_400_000

    private func vault() throws -> Vault {
        let vault = try Vault.new()
        try vault.writers.credentials.save("old.example", "ann", "saved")
        return vault
    }

    private let entries: [ImportEntry] = [
        .of("old.example", password: "file", changed: 5), .of("new.example", password: "file"),
        .of("new.example", password: "second"), .of("since.example", password: "file"),
    ]

    @Test("What was imported is deleted, what was changed is as before, and what was saved since stays")
    func revert() throws {
        let vault = try vault()
        try vault.commit(entries)
        try vault.writers.credentials.save("since.example", "ann", "mine", at: .at(2_000_000))
        try vault.writers.credentials.save("later.example", "ann", "mine", at: .at(2_000_000))
        let reverted = try #require(try vault.revert(at: Self.day))
        #expect(reverted.removed == 1 && reverted.restored == 1 && reverted.kept == 1)
        #expect(try vault.passwords("old.example") == ["saved", "file"])
        #expect(try vault.saved("new.example") == nil)
        #expect(try vault.passwords("since.example") == ["mine", "file"])
        #expect(try vault.passwords("later.example") == ["mine"])
        #expect(try vault.revert(at: Self.day) == nil)
        #expect(try vault.check().isIntact)
    }

    @Test("What an app has saved since stays, also where it is what came in; the same save again changes nothing")
    func savedAgain() throws {
        let vault = try vault()
        try vault.commit(entries)
        for domain in ["old.example", "since.example"] {
            func save(at now: Int64) throws -> Saved {
                try vault.writers.credentials.save(domain, "ann", "file", at: .at(now))
            }
            let saved = try save(at: 2_000_000)
            #expect(saved.changed && !saved.isNew)
            let again = try save(at: 2_000_001)
            #expect(again.version == saved.version && !again.changed)
        }
        let reverted = try #require(try vault.revert(at: 2_000_002))
        #expect(reverted.removed == 1 && reverted.restored == 0 && reverted.kept == 2)
        #expect(try vault.passwords("since.example") == ["file"])
        #expect(try vault.passwords("old.example") == ["file", "saved"])
        #expect(try vault.check().isIntact)
    }

    @Test("Without an import to revert, a save that changes nothing is none, whichever app makes it")
    func withoutImport() throws {
        let vault = try Vault.new()
        let draft = CredentialDraft(
            service: .domain("shop.example"), user: "ann", password: SecretBytes(utf8: "p"), writer: .administrator)
        let version = try vault.writers.credentials.save(draft, at: .at()).version
        let again = try vault.writers.credentials.save("shop.example", "ann", "p", at: .at(1))
        #expect(again.version == version && !again.changed)
    }

    @Test("What came in can be restored: a credential is among the deleted ones, a code among the former ones")
    func recoverable() throws {
        let vault = try vault()
        let code = SecretBytes(utf8: "otpauth://totp/new?secret=JBSWY3DPEHPK3PXP")
        let coded = ImportEntry.of("old.example", password: "file", changed: 5) { $0.oneTimeCode = code }
        try vault.commit([coded, .of("new.example", password: "file")])
        #expect(try vault.revert(at: 1_000_001)?.removed == 1)
        let old = try #require(try vault.saved("old.example"))
        #expect(old.oneTimeCode == nil && old.formerCodes.count == 1)
        #expect(old.formerCodes.first?.uri.equals(code) == true)
        let deleted = try vault.readers.credentials.deleted(after: nil, limit: 10).elements
        #expect(deleted.map(\.service) == [.domain("new.example")])
        _ = try vault.writers.credentials.undelete(try #require(deleted.first).id, at: .at(1_000_002))
        #expect(try vault.passwords("new.example") == ["file"])
    }

    @Test("What is deleted so is recorded by the clock that it is removed by, and not by the wall clock")
    func deletionTime() throws {
        let vault = try vault()
        try vault.commit([.of("new.example", password: "file")])
        _ = try vault.writers.imports.revert(at: .at(1000 * Self.day), steady: .at(1_000_001))
        let id = try #require(try vault.readers.credentials.deleted(after: nil, limit: 10).elements.first).id
        #expect(try vault.readers.credentials.get(id)?.deleted == .at(1_000_001))
    }

    @Test("After a day there is nothing to revert, and what was before is no longer in the vault")
    func late() throws {
        let vault = try vault()
        let settings = { try #require(vault.counts).settings }
        let before = try settings()
        try vault.commit(entries, at: 0)
        #expect(try settings() == before + 2)
        _ = try vault.purge(at: .at(Self.day - 1))
        #expect(try vault.readers.settings.get("import") != nil)
        #expect(try vault.revert(at: Self.day) == nil)
        _ = try vault.purge(at: .at(Self.day))
        #expect(try vault.readers.settings.get("import") == nil)
        #expect(try vault.readers.settings.get("import 0") == nil)
    }

    @Test("Of two imports the last one is reverted")
    func last() throws {
        let vault = try vault()
        try vault.commit(ImportEntry.many(30_000), at: 0)
        try vault.commit([.of("one.example", password: "p")], at: 1)
        #expect(try vault.readers.settings.get("import 1") == nil)
        #expect(try vault.revert(at: 2)?.removed == 1)
        #expect(try vault.saved("one.example") == nil && vault.saved("d0.example") != nil)
    }

    @Test("An import that is reverted can be imported again, and is reverted after a rekey too")
    func again() throws {
        let vault = try vault()
        try vault.commit(entries)
        #expect(try vault.revert(at: 1_000_001)?.removed == 2)
        #expect(try vault.commit(entries).added == 2)
        try vault.rekey([.test(.key(9), seed: 5)], at: .at())
        #expect(try vault.revert(at: 1_000_002)?.removed == 2)
        #expect(try vault.passwords("old.example") == ["saved", "file"])
        #expect(try vault.check().isIntact)
    }
}

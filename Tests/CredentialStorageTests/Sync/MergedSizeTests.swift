// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("Records that a merge makes longer than a save may")
struct MergedSizeTests {
    /// A credential to which both machines have added, in vaults with a limit of 8192 bytes.
    private func longCredential(_ pair: SyncedPair) throws -> ObjectID {
        let (desktop, laptop) = (pair.desktop, pair.laptop)
        for machine in [desktop, laptop] { machine.vault.limits.recordBytes = 8192 }
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try pair.publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        for (machine, name) in [(desktop, "a"), (laptop, "b")] {
            let value = SecretBytes(utf8: String(repeating: name, count: 5 << 10))
            let field = CustomField(name: name, value: value, isSecret: false)
            _ = try machine.vault.writers.credentials.update(id, at: .at(10)) {
                $0.apply(DetailsChange(fields: [field]), by: .other)
            }
            try pair.publish(machine, at: 11)
        }
        for machine in [desktop, laptop] { try machine.mergeArrived(at: .at(12)) }
        return id
    }

    @Test("What two machines have added to a credential is on both, and it can be changed, used and deleted")
    func joined() throws {
        let pair = try SyncedPair()
        let (desktop, laptop, id) = (pair.desktop, pair.laptop, try longCredential(pair))
        for machine in [desktop, laptop] {
            let found = try #require(try machine.vault.readers.credentials.get(id))
            #expect(found.details.fields.map(\.name).sorted() == ["a", "b"])
        }
        #expect(try desktop.shown() == laptop.shown())
        _ = try desktop.vault.writers.credentials.save("later.example", "ann", "later", at: .at(13))
        try pair.publish(desktop, at: 14)
        try laptop.mergeArrived(at: .at(15))
        #expect(try laptop.vault.password("later.example", "ann") == "later")
        let writer = try laptop.vault.writers.credentials
        _ = try writer.update(id, at: .at(16)) { $0.apply(DetailsChange(label: "Shop"), by: .other) }
        try laptop.vault.releases.record(.test(17), usedNow: id)
        try laptop.vault.releases.sync(at: .at(18))
        #expect(try laptop.vault.readers.credentials.get(id)?.lastUsed == .at(17))
        // 12,288 bytes, and what one save may add.
        let notes = SecretBytes(utf8: String(repeating: "x", count: 12_000))
        #expect(
            failure { _ = try writer.update(id, at: .at(19)) { $0.apply(DetailsChange(notes: notes), by: .other) } }
                == .tooLarge(limit: 20_480))
        _ = try writer.delete(id, at: .at(20))
        try pair.publish(laptop, at: 21)
        try desktop.mergeArrived(at: .at(22))
        #expect(try desktop.vault.readers.credentials.get(id)?.deleted != nil)
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("An import that adds to such a credential is committed, and reverted")
    func imported() throws {
        let pair = try SyncedPair()
        let (id, vault) = (try longCredential(pair), pair.laptop.vault)
        let entry = ImportEntry.of("shop.example", password: "one") { $0.details.tags = ["work"] }
        #expect(try vault.commit([entry]).changed == 1)
        #expect(try vault.readers.credentials.get(id)?.details.tags == ["work"])
        #expect(try vault.revert(at: 1_000_001)?.restored == 1)
        let found = try #require(try vault.readers.credentials.get(id))
        #expect(found.details.tags.isEmpty && found.details.fields.count == 2)
        #expect(try vault.check().isIntact)
    }

    @Test("An import that drops the longest former password of such a credential is reverted, and that is there again")
    func droppedByImport() throws {
        let pair = try SyncedPair()
        let (desktop, laptop) = (pair.desktop, pair.laptop)
        for machine in [desktop, laptop] { machine.vault.limits.recordBytes = 8192 }
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try pair.publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        let long = String(repeating: "x", count: 5 << 10)
        for (number, password) in ([long] + (2...9).map { "password \($0)" }).enumerated() {
            let now = 10 + Int64(number)
            _ = try desktop.vault.writers.credentials.save("shop.example", "ann", password, at: .at(now))
            try pair.publish(desktop, at: now)
        }
        let field = CustomField(name: "a", value: SecretBytes(utf8: long), isSecret: false)
        _ = try laptop.vault.writers.credentials.update(id, at: .at(30)) {
            $0.apply(DetailsChange(fields: [field]), by: .other)
        }
        try pair.publish(laptop, at: 31)
        try laptop.mergeArrived(at: .at(32))
        let vault = laptop.vault
        let merged = try #require(try vault.readers.credentials.get(id))
        #expect(merged.previous.count == 9 && merged.previous.contains { $0.password.text == long })

        let entry = ImportEntry.of("shop.example", password: "newer", changed: 1000) {
            $0.previous = [901, 900].map { time in
                Credential.Previous(password: SecretBytes(utf8: "of \(time)"), replaced: .at(time))
            }
        }
        #expect(try vault.commit([entry]).changed == 1)
        let imported = try #require(try vault.readers.credentials.get(id))
        #expect(imported.password.text == "newer" && !imported.previous.contains { $0.password.text == long })
        #expect(try vault.revert(at: 1_000_001)?.restored == 1)
        let found = try #require(try vault.readers.credentials.get(id))
        #expect(found.password.text == "password 9" && found.previous.contains { $0.password.text == long })
        #expect(try vault.check().isIntact)
    }

    @Test("Such a credential is returned from quarantine")
    func fromQuarantine() throws {
        let pair = try SyncedPair()
        let (laptop, id) = (pair.laptop, try longCredential(pair))
        let shown = try laptop.shown()
        let copy = laptop.directory.path + "/copy.sqlite"
        _ = try laptop.vault.backups.make(at: copy, at: .at(13))
        try laptop.vault.store.write { transaction throws(VaultError) in
            transaction.isMerging = true
            let present: Credential? = try transaction.records.fetch(id)
            if let present { try transaction.remove(present) }
        }
        try laptop.reopen(seed: 84) { directory in
            try Tampering.execute(
                """
                ATTACH '\(copy)' AS old;
                INSERT INTO record (id, lookup, version, sealed)
                  SELECT id, lookup, version, sealed FROM old.record WHERE id = \(Tampering.literal(id));
                DETACH old;
                """, on: directory.database)
        }
        _ = try laptop.vault.repair(at: .at(14))
        laptop.vault.limits.recordBytes = 8192
        let entry = try #require(try Quarantine(of: laptop.vault).list().first { $0.row.id == id })
        #expect(try Quarantine(of: laptop.vault).restore(entry.number) == id)
        #expect(laptop.vault.store.sync?.noted.unstamped.contains(id) == true)
        #expect(try laptop.shown() == shown && laptop.vault.check().isIntact)
    }
}

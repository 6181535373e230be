// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// What a vault comes through that was tampered with while it was open, or on an unlucky day.
@Suite("Hard cases of the vault")
struct HardCaseTests {
    private static let hour: Int64 = 3_600_000

    @Test("A clock that is set back locks no user out, neither after a failure nor without one, nor after a restart")
    func clockSetBack() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        vault.lock()
        try vault.unlock(.key(), at: .at(Self.hour))
        vault.lock()
        try vault.unlock(.key(), at: .at())
        vault.lock()
        #expect(failure { try vault.unlock(.key(9), at: .at()) } == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(failure { try vault.unlock(.key(), at: .at(100)) } == .tooSoon(retryAfterMilliseconds: 150))
        try vault.unlock(.key(), at: .at(-Self.hour))
        vault.close()
        let again = try Vault(
            at: directory.vault, program: "tests", entropy: SeededGenerator(seed: 5), openedAt: .at(Self.hour))
        try again.unlock(.key(), at: .at())
        again.lock()
        #expect(failure { try again.unlock(.key(9), at: .at()) } == .wrongSecret(retryAfterMilliseconds: 250))
        again.close()
        let third = try Vault(
            at: directory.vault, program: "tests", entropy: SeededGenerator(seed: 6), openedAt: .at(Self.hour))
        #expect(failure { try third.unlock(.key(), at: .at(Self.hour)) } == .tooSoon(retryAfterMilliseconds: 250))
        try third.unlock(.key(), at: .at())
    }

    @Test("A repair restores the slots that were there at the unlock, and removes planted ones")
    func slots() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let rows = try vault.file.slotRows()
        var planted = SlotRow(id: .max, new: try .test(.key(66), seed: 66))
        let foreign = VaultKeys(vaultKey: SecretBytes(copying: 0..<32, count: 32))
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 66)
        try planted.wrap(foreign.vaultKey, with: NewSlot.test(.key(66), seed: 66).wrappingKey, using: &entropy)
        try planted.setNote(label: "planted", created: .at(), keys: foreign, using: &entropy)
        #expect(planted.isIntact)
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.slots.delete.run(.integer(rows[0].id))
            try statements.slots.put.each(planted.values) { _ throws(VaultError) in true }
        }
        #expect(try vault.check().findings == [.slotAltered(.max), .slotsChanged])
        #expect(try vault.repair(at: .at(1)).findings.count == 2)
        #expect(try vault.check().isIntact)
        #expect(try vault.slots.list().map(\.id) == [1])
        #expect(try vault.quarantined().map(\.source) == ["slot"])
        vault.close()
        #expect(try Vault.unlocked(directory.vault).password("shop.example", "ann") == "p")
    }

    @Test("Slots that another program has changed are taken over by no change of slots or keys, but by a repair")
    func slotPutBack() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault)
        try vault.create([.test(.key(1)), .test(.key(2))], at: .at())
        let former = try #require(try vault.file.slotRows().first)
        _ = try vault.slots.remove(former.id)
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.slots.put.run(former.values)
        }
        func expectRefusals(_ vault: Vault) throws {
            let slot = try NewSlot.test(.key(3))
            #expect(failure { _ = try vault.slots.add(slot, at: .at()) } == .damaged("vault"))
            #expect(failure { _ = try vault.slots.change(2, to: slot, at: .at()) } == .damaged("vault"))
            for id in [1, 2] as [Slot.ID] {
                #expect(failure { _ = try vault.slots.remove(id) } == .damaged("vault"))
            }
            #expect(failure { _ = try vault.rekey([slot], at: .at()) } == .damaged("vault"))
            #expect(try vault.check().findings == [.slotsChanged])
        }
        try expectRefusals(vault)
        vault.close()
        let again = try Vault.open(directory.vault, seed: 3)
        #expect(try again.unlock(.key(2)).findings == [.slotsChanged])
        try expectRefusals(again)
        _ = try again.repair(at: .at())
        #expect(try again.slots.add(.test(.key(3)), at: .at()) == 3)
        #expect(try again.check().isIntact)
    }

    @Test("Where no slot is left that opens the vault, and none is recorded, a repair changes nothing and reports that")
    func noSlots() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.slots.delete.run(.integer(1))
        }
        vault.store.unlockedVault?.slots = nil
        #expect(failure { _ = try vault.repair(at: .at()) } == .damaged("every slot"))
        #expect(try vault.password("shop.example", "ann") == "p")
    }

    @Test("A damaged vault is backed up as it is, each time, and the backups from before the damage stay")
    func damagedBackup() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let ids = try (0..<40).map { try vault.writers.credentials.save("d\($0).example", "ann", "p\($0)").id }
        let day: Int64 = 86_400_000
        for number in 0..<2 { _ = try vault.backups.makeIfDue(keeping: 2, at: .at(Int64(number) * day)) }
        let sound = vault.backups.automatic
        try vault.file.openDatabase.write { statements throws(VaultError) in
            for id in ids.prefix(20) { try statements.records.delete.run(.bytes(id.stored)) }
        }
        for number in 2..<6 {
            let report = try #require(try vault.backups.makeIfDue(keeping: 2, at: .at(Int64(number) * day)))
            #expect(report.findings.count == 20)
        }
        #expect(vault.backups.automatic.count == 6 && vault.backups.automatic.starts(with: sound))
        let frozen = try #require(try vault.freeze())
        #expect(try frozen.copy(to: directory.path + "/b.sqlite", VaultProgress()).findings.count == 20)
        vault.thaw()
        #expect(try vault.repair(at: .at(6 * day)).quarantined == 20)
        _ = try vault.backups.makeIfDue(keeping: 2, at: .at(6 * day))
        #expect(vault.backups.automatic.count == 2)
    }

    @Test("An entry of the record of releases that claims the last number there is ends nothing")
    func lastNumber() throws {
        let directory = try TemporaryDirectory()
        var limits = VaultLimits()
        limits.releaseBytes = 1
        let vault = try Vault.new(directory.vault, limits: limits)
        for number in 0..<3 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.sync(at: .at())
        var forged = [UInt8](repeating: 0xFF, count: 10 + 64)
        forged.replaceSubrange(0..<2, with: [0, 64])
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.releases.insert.run(.integer(0), .bytes(forged))
            try statements.releases.insert.run(.integer(.max), .bytes(forged))
        }
        // The oldest rows are dropped, the forged one first.
        try vault.releases.append(.test(4))
        try vault.releases.sync(at: .at(1))
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.manifest.putNode.run(.integer(0), .bytes([1, 2, 3]))
        }
        vault.lock()
        #expect(try !vault.unlock(.key()).findings.isEmpty)
        try vault.releases.append(.test(5))
        try vault.releases.sync(at: .at(2))
        _ = try vault.repair(at: .at(3))
        #expect(try vault.check().isIntact)
    }

    @Test("A vault that was removed under the daemon can be made again by the same daemon")
    func removed() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        vault.lock()
        try FileManager.default.removeItem(atPath: directory.database)
        #expect(failure { try vault.unlock(.key()) } == .missing)
        try vault.create([.test(.key(8))], at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "p")
        #expect(try vault.check().isIntact)
    }

    @Test("A vault that was put aside with its log is restored with what is in the log")
    func restoredWithLog() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let aside = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: aside)
        try vault.writers.credentials.save("else.example", "ann", "q")
        let path = aside.database
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        // What is read of the backup first is its file alone.
        let fresh = try TemporaryDirectory()
        let other = try Vault.open(fresh.vault)
        vault.close()
        let slots = try Vault.unlocked(directory.vault).file.slotRows()
        let outcome = UnlockAttempt(secret: .key(), slots: slots).derive()
        #expect(try other.restore(from: path, with: outcome).records == 1)
        #expect(try other.password("shop.example", "ann") == "p")
    }

    @Test("A rekey keeps what is in quarantine readable, and leaves no entry of the record under the old key")
    func rekeyedQuarantine() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let id = try vault.writers.credentials.save("shop.example", "ann", "p").id
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        vault.store.unlockedVault?.manifest = try {
            var manifest = try #require(vault.store.unlockedVault?.manifest)
            var changes = VaultChanges()
            changes.entries[id] = .some(nil)
            changes.tallies[Tally.credentials.rawValue] = -1
            try vault.file.openDatabase.write { statements throws(VaultError) in
                let key = try vault.store.unlocked.keys.manifest
                try manifest.apply(changes, statements, key: key, using: &vault.store.entropy)
            }
            return manifest
        }()
        #expect(try vault.repair(at: .at()).findings == [.unexpected(id)])
        let log = directory.vaultPath + "/vault.releases"
        try vault.rekey([.test(.key(40))], at: .at())
        let entries = try Data(contentsOf: URL(fileURLWithPath: log)).prefix(ReleaseFile.capacity)
        #expect(entries.allSatisfy { $0 == 0 })
        let key = try vault.store.unlocked.keys.records
        var opened: Credential?
        try vault.file.openDatabase.statements.quarantine.records.each([]) { row throws(VaultError) in
            let associated = AssociatedData.record(id, version: 1, lookup: row.bytes(2))
            opened =
                try Sealing.open(row.bytes(4), key: key, associated: associated) { plain in
                    Credential(plain: plain, id: id, version: 1)
                } ?? nil
            return true
        }
        #expect(opened?.password.text == "p")
    }

    @Test("A passphrase opens the vault in any normal form of Unicode")
    func normalForms() throws {
        let vault = try Vault.new()
        let slot = try NewSlot.test(.passphrase("caf\u{E9} au lait"), seed: 3)
        let id = try vault.slots.add(slot, at: .at())
        vault.lock()
        #expect(try vault.unlock(.passphrase("cafe\u{301} au lait")).slot == id)
    }

    @Test("Records whose node of the manifest is missing are named, and a repair keeps them")
    func unpinned() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("shop.example", "ann", "p").id
        try vault.file.openDatabase.write { statements throws(VaultError) in
            let node = Manifest.node(ofBucket: ManifestBucket.index(of: id))
            try statements.manifest.putNode.run(.integer(Int64(node)), .bytes([1, 2, 3]))
        }
        #expect(try vault.check().findings.contains(.unpinned(id)))
        let report = try vault.repair(at: .at())
        #expect(report.findings.contains(.unpinned(id)) && report.quarantined == 0)
        #expect(try vault.check().isIntact && vault.password("shop.example", "ann") == "p")
    }

    @Test("A row that has no valid id hides no other, and a repair keeps it in quarantine")
    func unnamedRow() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let id = try vault.writers.credentials.save("shop.example", "bob", "q").id
        // Of its kind, and among the others of its service.
        try vault.file.openDatabase.write { statements throws(VaultError) in
            let row = try statements.records.byID.first(.bytes(id.stored)) { row throws(VaultError) in
                (lookup: row.copy(1), sealed: row.copy(3))
            }
            try statements.records.delete.run(.bytes(id.stored))
            try statements.records.insert.run(
                .bytes([1, 2]), .bytes(row?.lookup ?? []), .integer(1), .bytes(row?.sealed ?? []))
        }
        #expect(try vault.check().findings.contains(.missing(id, changed: .at())))
        #expect(try vault.credentials(for: .domain("shop.example")).map(\.user) == ["ann"])
        #expect(try vault.readers.credentials.page(after: nil, limit: 9).elements.map(\.user) == ["ann"])
        #expect(failure { _ = try vault.password("shop.example", "bob") } == .unnamedRecord)
        // The manifest recognises it by what was sealed.
        #expect(try vault.repair(at: .at(1)).quarantined == 0)
        #expect(try vault.check().isIntact)
        #expect(try vault.password("shop.example", "bob") == "q")
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.records.delete.run(.bytes(id.stored))
            try statements.records.insert.run(.bytes([1, 2]), .bytes([]), .integer(1), .bytes([3]))
        }
        #expect(try vault.repair(at: .at(2)).quarantined == 2)
        #expect(try vault.check().isIntact && vault.password("shop.example", "bob") == nil)
        let rows = try vault.quarantined()
        #expect(rows.map(\.fault).sorted() == ["damaged", "missing"] && rows.map(\.id).contains(nil))
        try vault.writers.credentials.save("shop.example", "bob", "r")
        #expect(try vault.check().isIntact && vault.password("shop.example", "bob") == "r")
    }
}

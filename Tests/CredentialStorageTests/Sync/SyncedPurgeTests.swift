// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncFiles
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("Purges in a vault with sync")
struct SyncedPurgeTests {
    @Test("What was deleted is purged when every member has shown that it knows, and then on every machine")
    func everyMember() throws {
        let group = try SyncedGroup()
        let folder = try TemporaryDirectory()
        let spool = SyncSpool(at: folder.path + "/spool")
        let desktop = try SyncedVault(group.desktop, in: group, sharing: spool, seed: 2)
        let laptop = try SyncedVault(group.laptop, in: group, sharing: spool, seed: 3)
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        _ = try desktop.vault.writers.credentials.save("other.example", "ann", "other", at: .at(1))
        for machine in [desktop, laptop] { _ = try machine.tidy(at: .at(2)) }
        try laptop.mergeFolder(at: .at(3))
        try desktop.mergeFolder(at: .at(4))
        _ = try desktop.vault.writers.credentials.delete(id, at: .at(5))
        try desktop.sync.sealChanges(at: .at(6))
        _ = try desktop.tidy(at: .at(7))
        let month = desktop.vault.limits.recoverableMilliseconds
        #expect(try desktop.vault.purge(at: .at(month + 10)) == 0)
        #expect(try desktop.vault.readers.credentials.get(id)?.deleted != nil)
        try laptop.mergeFolder(at: .at(11))
        try laptop.writeSnapshot(at: .at(12))
        try desktop.mergeFolder(at: .at(13))
        #expect(try desktop.vault.purge(at: .at(month + 20)) == 1)
        try desktop.sync.sealChanges(at: .at(month + 21))
        _ = try desktop.tidy(at: .at(month + 22))
        try laptop.mergeFolder(at: .at(month + 23))
        for machine in [desktop, laptop] {
            #expect(try machine.vault.readers.credentials.get(id) == nil)
            #expect(try machine.vault.allCredentials().count == 1)
            let state = try machine.sync.store.read { records throws(VaultError) in
                try SyncReader(records: records).state(cuts: [:])
            }
            #expect(!state.contains(id))
            #expect(try machine.vault.check().isIntact)
        }
        // A file from before the deletion brings nothing back.
        try laptop.mergeFolder(at: .at(month + 24))
        #expect(try laptop.vault.readers.credentials.get(id) == nil)
    }

    @Test("What comes back from quarantine after its purge is published, with what is saved of it then")
    func fromQuarantine() throws {
        let pair = try SyncedPair()
        let (desktop, laptop) = (pair.desktop, pair.laptop)
        func save(_ password: String, at now: Int64) throws -> ObjectID {
            try desktop.vault.writers.credentials.save("shop.example", "ann", password, at: .at(now)).id
        }
        let id = try save("one", at: 1)
        let copy = desktop.directory.path + "/copy.sqlite"
        _ = try desktop.vault.backups.make(at: copy, at: .at(2))
        _ = try save("two", at: 3)
        _ = try desktop.vault.writers.credentials.delete(id, at: .at(4))
        try pair.publish(desktop, at: 5)
        try laptop.mergeFolder(at: .at(6))
        try laptop.writeSnapshot(at: .at(7))
        try desktop.mergeFolder(at: .at(8))
        let month = desktop.vault.limits.recoverableMilliseconds
        #expect(try desktop.vault.purge(at: .at(month + 10)) == 1)
        try pair.publish(desktop, at: month + 11)
        try desktop.reopen(seed: 84) { directory in
            try Tampering.execute(
                """
                ATTACH '\(copy)' AS old;
                INSERT INTO record (id, lookup, version, sealed)
                  SELECT id, lookup, version, sealed FROM old.record WHERE id = \(Tampering.literal(id));
                DETACH old;
                """, on: directory.database)
        }
        _ = try desktop.vault.repair(at: .at(month + 12))
        let entry = try #require(try Quarantine(of: desktop.vault).list().first { $0.row.id == id })
        #expect(try Quarantine(of: desktop.vault).restore(entry.number) == id)
        try desktop.sync.join(at: .at(month + 13))
        try pair.publish(desktop, at: month + 14)
        let version = try desktop.vault.readers.credentials.get(id)?.version
        #expect((version ?? 0) > 3, "above all that the id has had")
        try desktop.mergeFolder(at: .at(month + 15))
        try laptop.mergeFolder(at: .at(month + 16))
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        #expect(try save("three", at: month + 17) == id)
        try pair.publish(desktop, at: month + 18)
        try laptop.mergeFolder(at: .at(month + 19))
        #expect(try laptop.vault.password("shop.example", "ann") == "three")
        #expect(try desktop.shown() == laptop.shown() && desktop.vault.check().isIntact)
    }

    // MARK: - Clocks that were wrong

    private static let day: Int64 = 86_400_000

    /// A credential that both machines have.
    private func shared(_ pair: SyncedPair) throws -> ObjectID {
        let id = try pair.desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        for machine in [pair.desktop, pair.laptop] { try pair.publish(machine, at: 2) }
        try pair.laptop.mergeFolder(at: .at(3))
        try pair.desktop.mergeFolder(at: .at(3))
        return id
    }

    /// The desktop deletes it, and the laptop merges that.
    ///
    /// - Parameters:
    ///   - wall: the laptop's system clock.
    ///   - steady: its steady clock; nil: it records the deletion by the system clock.
    private func delete(_ id: ObjectID, _ pair: SyncedPair, wall: Int64, steady: Int64?) throws {
        _ = try pair.desktop.vault.writers.credentials.delete(id, at: .at(4))
        try pair.publish(pair.desktop, at: 5)
        if let steady { try pair.laptop.sync.noteTime(steady: .at(steady)) }
        try pair.laptop.mergeFolder(at: .at(wall))
        #expect(try pair.laptop.vault.readers.credentials.get(id)?.deleted != nil)
    }

    @Test(
        "What is deleted after a first removal under a clock that was ahead is removed in time", arguments: [20, 1000])
    func firstAhead(days: Int64) throws {
        let pair = try SyncedPair()
        let (desktop, laptop) = (pair.desktop, pair.laptop)
        let id = try shared(pair)
        #expect(try desktop.vault.purge(at: .at(days * Self.day)) == 0)
        try desktop.reopen(seed: 84) { _ in }
        _ = try desktop.vault.writers.credentials.delete(id, at: .at(4))
        try pair.publish(desktop, at: 5)
        try laptop.mergeFolder(at: .at(6))
        try laptop.writeSnapshot(at: .at(7))
        try desktop.mergeFolder(at: .at(8))
        #expect(try desktop.vault.purge(at: .at(29 * Self.day)) == 0)
        #expect(try desktop.vault.purge(at: .at(31 * Self.day)) == 1)
    }

    @Test("What another machine has deleted can be restored for its time, where the clock was ahead at the start")
    func mergedBehind() throws {
        let pair = try SyncedPair()
        let (id, start) = (try shared(pair), 3650 * Self.day)
        let month = pair.laptop.vault.limits.recoverableMilliseconds
        #expect(try pair.laptop.vault.purge(at: .at(start)) == 0)
        try delete(id, pair, wall: 6, steady: start + 6)
        #expect(try pair.laptop.vault.purge(at: .at(start + Self.day)) == 0)
        #expect(try pair.laptop.vault.purge(at: .at(start + month + 5)) == 0)
        #expect(try pair.laptop.vault.purge(at: .at(start + month + 6)) == 1)
    }

    @Test("What another machine has deleted is removed in time, where the system clock was years ahead at the merge")
    func mergedAhead() throws {
        let pair = try SyncedPair()
        let id = try shared(pair), month = pair.laptop.vault.limits.recoverableMilliseconds
        try delete(id, pair, wall: 3650 * Self.day, steady: 6)
        #expect(try pair.laptop.vault.purge(at: .at(month + 5)) == 0)
        #expect(try pair.laptop.vault.purge(at: .at(month + 6)) == 1)
    }

    @Test("A deletion that is recorded years ahead of the clock for removal can be restored for its time, and goes")
    func recordedAhead() throws {
        let pair = try SyncedPair()
        let id = try shared(pair), month = pair.laptop.vault.limits.recoverableMilliseconds
        try delete(id, pair, wall: 3650 * Self.day, steady: nil)
        try pair.laptop.reopen(seed: 85) { _ in }
        #expect(try pair.laptop.vault.purge(at: .at(7)) == 0)
        // It is no change for others.
        #expect(try pair.laptop.sync.sealChanges(at: .at(8)) == nil)
        #expect(try pair.laptop.vault.purge(at: .at(month + 6)) == 0)
        #expect(try pair.laptop.vault.purge(at: .at(month + 7)) == 1)
    }

    @Test("What was deleted under a clock of 1970 can be restored for its time")
    func wrongClock() throws {
        let group = try SyncedGroup()
        let folder = try TemporaryDirectory()
        let desktop = try SyncedVault(group.desktop, in: group, sharing: SyncSpool(at: folder.path + "/spool"), seed: 2)
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        _ = try desktop.vault.writers.credentials.delete(id, at: Timestamp(milliseconds: 86_400_000))
        try desktop.sync.sealChanges(at: .at(6))
        try desktop.kill(seed: 4)
        let month = desktop.vault.limits.recoverableMilliseconds
        #expect(try desktop.vault.purge(at: .at(7)) == 0)
        #expect(try desktop.vault.purge(at: .at(month)) == 0)
        #expect(try desktop.vault.writers.credentials.undelete(id, at: .at(month)).changed)
    }
}

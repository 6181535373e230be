// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import SyncFiles
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("A vault with sync whose keys are changed")
struct SyncedKeysTests {
    private let pair: SyncedPair
    private let group: SyncedGroup
    private let desktop: SyncedVault
    private let laptop: SyncedVault

    init() throws {
        pair = try SyncedPair()
        (group, desktop, laptop) = (pair.group, pair.desktop, pair.laptop)
    }

    /// After the change nothing that is written opens with the keys of a former id, nothing is lost, and nothing is asked. All ids of
    /// this machine end.
    private func expectNewKeys(_ change: (Vault) throws -> Void) throws {
        _ = try desktop.vault.writers.credentials.save("unpublished.example", "ann", "kept", at: .at(7))
        let former = [group.desktop.publicKeys.device, try #require(try desktop.sync.device)]
        let key = try #require(try desktop.sync.members).epochKeys.current
        try change(desktop.vault)
        let members = try #require(try desktop.sync.members)
        #expect(try !former.contains(#require(try desktop.sync.device)) && desktop.sync.isMember)
        #expect(try Set(members.list.members) == [desktop.sync.device, group.laptop.publicKeys.device])
        #expect(Set(former).allSatisfy { members.list.cuts[$0] == SyncFileLimits.sequences.upperBound })
        let current = try #require(members.epochKeys.current)
        #expect(current != key && members.epochKey(current, of: group.desktop) == nil)
        _ = try desktop.vault.writers.credentials.save("new.example", "ann", "new", at: .at(10))
        try pair.publish(desktop, at: 11)
        // Of a former id nothing is taken any more.
        try laptop.mergeFiles(of: try #require(desktop.vault.store.sync).keys, at: .at(12))
        #expect(try laptop.vault.password("new.example", "ann") == "new")
        #expect(try laptop.vault.password("unpublished.example", "ann") == "kept")
        #expect(try laptop.sync.members?.list.members == members.list.members)
        #expect(try desktop.shown() == laptop.shown() && desktop.vault.check().isIntact)
    }

    private func removeSlot(_ vault: Vault) throws {
        let slot = try vault.slots.add(.test(.key(8), seed: 41), at: .at(1))
        _ = try vault.slots.remove(slot)
    }

    @Test("Keys that are changed give it a new id and a key that the former id is not given, and ask nothing")
    func rekeyed() throws {
        _ = try pair.backUp()
        try expectNewKeys { try $0.rekey([.test(seed: 40)], at: .at(8)) }
        #expect(try !desktop.sync.isRestored)
    }

    @Test("So does the removal of a slot, whose secret may open a copy of the vault")
    func removedSlot() throws {
        _ = try pair.backUp()
        try expectNewKeys(removeSlot)
        #expect(try !desktop.sync.isRestored)
        // What it has merged and written is merged still.
        let vector = try desktop.sync.vector
        #expect(vector[group.desktop.publicKeys.device] > 1)
    }

    @Test("The removal of a slot after a restore ends the id of before the restore, too", arguments: [false, true])
    func removedSlotAfterRestore(isRekey: Bool) throws {
        try pair.restore(pair.backUp())
        try desktop.sync.join(at: .at(8))
        try desktop.mergeFolder(at: .at(8))
        try expectNewKeys { vault in
            if isRekey { try vault.rekey([.test(seed: 40)], at: .at(8)) } else { try removeSlot(vault) }
        }
    }

    @Test("The removal of a slot seals what was sealed and not copied out again, under the new id alone")
    func removedSlotWithOutbox() throws {
        _ = try pair.backUp()
        try expectNewKeys { vault in
            try vault.sync.sealChanges(at: .at(8))
            try removeSlot(vault)
        }
        // Nor does the pair.spool keep what the former id has put out.
        let id = try #require(try desktop.sync.members).group
        #expect(desktop.spool.names(of: group.desktop.publicKeys.device, in: id).isEmpty)
    }

    @Test("The removal of a slot decides nothing for the user after a restore")
    func undecidedRemoval() throws {
        try pair.restore(pair.backUp())
        let restored = try desktop.sync.device
        try removeSlot(desktop.vault)
        #expect(try desktop.sync.isRestored && desktop.sync.device != restored)
        try desktop.sync.join(at: .at(10))
        try pair.publish(desktop, at: 11)
        try desktop.mergeFiles(of: group.laptop, at: .at(12))
        try laptop.mergeFiles(of: try #require(desktop.vault.store.sync).keys, at: .at(13))
        #expect(try desktop.vault.check().isIntact)
    }

    /// Nothing of a former id counts from now on, and what the user has not decided is not decided.
    private func expectEnded(_ former: [DeviceID], isRestored: Bool) throws {
        let members = try #require(try desktop.sync.members)
        #expect(try desktop.sync.isRestored == isRestored && desktop.sync.isMember)
        #expect(former.allSatisfy { members.list.cuts[$0] == SyncFileLimits.sequences.upperBound })
        #expect(try desktop.vault.check().isIntact)
    }

    @Test("A kill between the change of keys and what follows decides nothing", arguments: [false, true])
    func killedRekey(isRestored: Bool) throws {
        let backup = try pair.backUp()
        if isRestored { try pair.restore(backup) }
        let former = [group.desktop.publicKeys.device, try #require(try desktop.sync.device)]
        let vaultKey = desktop.vault.store.newVaultKey()
        try desktop.vault.reseal(under: VaultKeys(vaultKey: vaultKey), [.test(seed: 40)], at: .at(9))
        try desktop.kill(seed: 85)
        try expectEnded(former, isRestored: isRestored)
    }

    /// As after an unlock at which no mark could be stored: the vault replaced another one, and has no new id until the next unlock.
    private func unmark(_ vault: Vault) throws {
        let (unlocked, database) = (try vault.store.unlocked, try vault.store.file.openDatabase)
        try vault.store.unmark(database, unlocked.keys, unlocked.releases.file)
        unlocked.manifest = try Manifest(reading: database.statements, key: unlocked.keys.manifest)
        vault.store.sync = nil
    }

    @Test("A change of keys before a replaced vault has its new id decides nothing", arguments: [false, true])
    func unmarked(isRekey: Bool) throws {
        _ = try pair.backUp()
        try unmark(desktop.vault)
        #expect(try !desktop.sync.isStarted && !desktop.sync.isAbsent)
        if isRekey {
            try desktop.vault.rekey([.test(seed: 40)], at: .at(9))
        } else {
            try removeSlot(desktop.vault)
            try desktop.kill(seed: 86)
        }
        try expectEnded([group.desktop.publicKeys.device], isRestored: true)
    }

    @Test("A backup from before the removal of a slot is a copy like any other: its sync ends, and it says so")
    func backupOfBeforeRemoval() throws {
        let backup = try pair.backUp()
        try expectNewKeys(removeSlot)
        let successor = try #require(desktop.vault.store.sync).keys
        try pair.restore(backup)
        try desktop.sync.join(at: .at(20))
        #expect(try desktop.sync.isMember)
        #expect(throws: SyncFailure.self) { try desktop.mergeFiles(of: successor, at: .at(21)) }
        #expect(try !desktop.sync.isMember && !desktop.sync.hasChanges)
        #expect(throws: SyncFailure.notMember) { try desktop.tidy(at: .at(22)) }
    }

    @Test("Who has the keys of an id that has ended cannot end the sync of the machine that had it")
    func endedID() throws {
        try removeSlot(desktop.vault)
        var sync = try #require(desktop.vault.store.sync)
        let before = sync
        sync.members.insert([
            try .removal(
                of: group.desktop.publicKeys.device, last: 5, from: sync.members.group, by: .device(group.desktop),
                sequence: 2)
        ])
        #expect(sync.members.statements.count == before.members.statements.count + 1)
        try sync.endIfReplaced(since: before)
        #expect(sync.members.list.contains(sync.device))
    }

    @Test("The new id is senior to those that the former one let in")
    func seniority() throws {
        var sync = try #require(desktop.vault.store.sync)
        let third = try KeyPairs.random(using: &desktop.vault.store.entropy)
        sync.members.insert([
            try .admission(of: third.publicKeys, to: sync.members.group, by: group.desktop, sequence: 2)
        ])
        sync.progress.covered = 7
        sync.progress.next = 8
        let new = try sync.renewed(removingFormer: true, using: &desktop.vault.store.entropy)
        let order = new.members.list.members
        #expect(
            try #require(order.firstIndex(of: new.device)) < #require(order.firstIndex(of: third.publicKeys.device)))
    }

    @Test("A change of keys that was only begun removes no id, whatever is done next")
    func begunRekey() throws {
        let keys = VaultKeys(vaultKey: SecretBytes(count: 32) { _ in })
        try VaultSync.note(nextKeys: keys, in: desktop.vault.store, at: .at(1))
        try pair.restore(pair.backUp())
        let former = group.desktop.publicKeys.device
        #expect(try desktop.sync.device != former)
        #expect(try #require(try desktop.sync.members).list.contains(former))
    }
}

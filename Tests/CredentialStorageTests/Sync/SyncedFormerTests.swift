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

@Suite("The former id of a machine with sync that is removed")
struct SyncedFormerTests {
    private let pair: SyncedPair
    private let group: SyncedGroup
    private let desktop: SyncedVault
    private let laptop: SyncedVault
    private let former: DeviceID

    init() throws {
        pair = try SyncedPair()
        (group, desktop, laptop) = (pair.group, pair.desktop, pair.laptop)
        former = group.desktop.publicKeys.device
    }

    /// Saves and deletes while the folder is not there, restores a backup that has that, and publishes under the new id.
    ///
    /// - Returns: the last file of the former id that the laptop has.
    private func publishUnderNewID() throws -> UInt64 {
        _ = try pair.backUp()
        let last = try laptop.sync.vector[former]
        for number in 0..<3 as Range<Int64> {
            _ = try desktop.vault.writers.credentials.save("a\(number).example", "ann", "kept", at: .at(10 + number))
            try desktop.sync.sealChanges(at: .at(10 + number))
        }
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "three", at: .at(14))
        let late = try #require(try desktop.vault.readers.credentials.get(for: .domain("late.example"), user: "ann"))
        _ = try desktop.vault.writers.credentials.delete(late.id, at: .at(15))
        try desktop.sync.sealChanges(at: .at(16))
        let backup = desktop.directory.path + "/later.sqlite"
        _ = try desktop.vault.backups.make(at: backup, at: .at(17))
        let outcome = try desktop.vault.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try desktop.vault.restore(from: backup, with: outcome)
        try desktop.sync.join(at: .at(19))
        try pair.publish(desktop, at: 20)
        try laptop.mergeArrived(at: .at(21))
        #expect(try desktop.sync.device != former && laptop.vault.password("a2.example", "ann") == "kept")
        let known = try #require(try laptop.sync.devices().first { $0.id == former })
        #expect(known.isMember && known.missing == 0 && known.merged == last)
        return last
    }

    private func expectAll(_ machine: SyncedVault) throws {
        for number in 0..<3 { #expect(try machine.vault.password("a\(number).example", "ann") == "kept") }
        #expect(try machine.vault.password("shop.example", "ann") == "three")
        #expect(try machine.vault.password("late.example", "ann") == nil)
        #expect(try machine.vault.check().isIntact)
    }

    @Test("What only the present id's files have of it stays on every machine")
    func unpublished() throws {
        _ = try publishUnderNewID()
        try laptop.sync.remove(former, by: .recoveryKey(group.recovery), at: .at(30))
        try expectAll(laptop)
        try pair.publish(laptop, at: 31)
        try desktop.mergeArrived(at: .at(32))
        try expectAll(desktop)
        #expect(try desktop.sync.isMember && desktop.shown() == laptop.shown())
    }

    @Test("Where a removal names an earlier file the machine that had the id publishes what would be lost again")
    func earlierCut() throws {
        let last = try publishUnderNewID()
        let shown = try desktop.vault.allCredentials().map { try $0.text }
        // By a machine that had less.
        let removal = try SignedStatement.removal(
            of: former, last: last, from: group.id, by: .recoveryKey(group.recovery), sequence: 1)
        try laptop.sync.accept([removal], at: .at(30))
        #expect(try laptop.vault.password("a2.example", "ann") == nil)
        try pair.publish(laptop, at: 31)
        try desktop.mergeArrived(at: .at(32))
        #expect(try desktop.sync.members?.list.cuts[former] == last)
        #expect(try desktop.vault.allCredentials().map { try $0.text } == shown)
        try desktop.kill(seed: 84)
        try expectAll(desktop)
        try pair.publish(desktop, at: 33)
        try laptop.mergeArrived(at: .at(34))
        try expectAll(laptop)
        #expect(try desktop.shown() == laptop.shown())
    }

    /// Publishes a change of keys, which the laptop merges and passes on.
    private func rekey() throws {
        try desktop.vault.rekey([.test(seed: 40)], at: .at(8))
        try pair.publish(desktop, at: 9)
        try laptop.mergeArrived(at: .at(10))
        try pair.publish(laptop, at: 11)
        #expect(try laptop.sync.members?.list.contains(#require(desktop.sync.device)) == true)
    }

    @Test("A backup from before a change of keys whose keys are changed again reports that the others do not know it")
    func rekeyedBackup() throws {
        let backup = try pair.backUp()
        try rekey()
        try pair.restore(backup)
        try desktop.vault.rekey([.test(seed: 41)], at: .at(12))
        if try desktop.sync.isRestored { try desktop.sync.join(at: .at(13)) }
        let password = try desktop.vault.password("shop.example", "ann")
        for _ in 0..<2 { #expect(try desktop.mergeArrived(at: .at(14)).problem == .removed) }
        #expect(try desktop.vault.password("shop.example", "ann") == password && desktop.vault.check().isIntact)
    }

    @Test("Such a backup wins over nothing, and says so")
    func winningBackup() throws {
        let backup = try pair.backUp()
        try rekey()
        try pair.restore(backup)
        #expect(throws: SyncFailure.notMember) { try desktop.sync.win(over: desktop.files(), at: .at(12)) }
        #expect(try desktop.sync.isRestored && desktop.vault.password("shop.example", "ann") == "one")
    }

    @Test("A backup from before its removal that is restored reports that it was removed")
    func removedBackup() throws {
        let backup = try pair.backUp()
        try laptop.sync.remove(former, by: .recoveryKey(group.recovery), at: .at(7))
        try pair.publish(laptop, at: 8)
        try pair.restore(backup)
        try desktop.sync.join(at: .at(9))
        #expect(try desktop.mergeArrived(at: .at(10)).problem == .removed)
        #expect(try desktop.vault.password("shop.example", "ann") != nil && desktop.vault.check().isIntact)
    }

    @Test("A removed machine stays so when its keys are changed, or a backup is restored", arguments: [false, true])
    func stillRemoved(isRekey: Bool) throws {
        _ = try pair.backUp()
        try laptop.sync.remove(former, by: .recoveryKey(group.recovery), at: .at(7))
        try pair.publish(laptop, at: 8)
        #expect(try desktop.mergeArrived(at: .at(9)).problem == .removed)
        _ = try desktop.vault.writers.credentials.save("own.example", "ann", "own", at: .at(10))
        if isRekey {
            try desktop.vault.rekey([.test(seed: 40)], at: .at(11))
        } else {
            let backup = desktop.directory.path + "/later.sqlite"
            _ = try desktop.vault.backups.make(at: backup, at: .at(11))
            let outcome = try desktop.vault.restoreAttempt(from: backup, secret: .key()).derive()
            _ = try desktop.vault.restore(from: backup, with: outcome)
        }
        #expect(try !desktop.sync.isMember && !desktop.sync.isRestored && desktop.sync.device == former)
        #expect(try desktop.mergeArrived(at: .at(13)).problem == .removed)
        #expect(try desktop.vault.password("own.example", "ann") == "own" && desktop.vault.check().isIntact)
    }

    @Test("A restored backup whose new id another machine knows goes on: that one passes it on")
    func passedOn() throws {
        let phone = try KeyPairs.random(using: &desktop.vault.store.entropy)
        try desktop.sync.admit(desktop.sync.answer(of: phone, named: "phone"), at: .at(1))
        let third = try SyncedVault(phone, in: group, sharing: pair.spool, seed: 4, members: desktop.sync.members)
        try pair.restore(pair.backUp())
        try desktop.sync.join(at: .at(9))
        try pair.publish(desktop, at: 10)
        try third.mergeArrived(at: .at(11))
        try pair.publish(third, at: 12)
        try desktop.mergeArrived(at: .at(13))
        // The laptop has no file of the new id.
        try laptop.sync.remove(former, by: .recoveryKey(group.recovery), at: .at(14))
        try pair.publish(laptop, at: 15)
        #expect(try desktop.mergeArrived(at: .at(16)).problem == nil)
        try third.mergeArrived(at: .at(17))
        try pair.publish(third, at: 18)
        try laptop.mergeArrived(at: .at(19))
        try pair.publish(laptop, at: 20)
        #expect(try laptop.sync.members?.list.contains(#require(desktop.sync.device)) == true)
        #expect(try desktop.mergeArrived(at: .at(21)).problem == nil)
    }

    @Test("A restored backup that wins keeps what only it has of an id that was removed meanwhile")
    func winning() throws {
        _ = try pair.backUp()
        let last = try laptop.sync.vector[former]
        _ = try desktop.vault.writers.credentials.save("a0.example", "ann", "kept", at: .at(10))
        let backup = desktop.directory.path + "/later.sqlite"
        _ = try desktop.vault.backups.make(at: backup, at: .at(11))
        let outcome = try desktop.vault.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try desktop.vault.restore(from: backup, with: outcome)
        let members = try #require(desktop.vault.store.sync).members
        let removal = try SignedStatement.removal(
            of: former, last: last, from: group.id, by: .recoveryKey(group.recovery), sequence: 1)
        try laptop.sync.accept(members.statements + [removal], at: .at(13))
        try pair.publish(laptop, at: 14)
        _ = try desktop.sync.win(over: desktop.files(), at: .at(15))
        #expect(try desktop.sync.isMember && desktop.vault.password("a0.example", "ann") == "kept")
        try pair.publish(desktop, at: 16)
        try laptop.mergeArrived(at: .at(17))
        #expect(try laptop.vault.password("a0.example", "ann") == "kept" && desktop.shown() == laptop.shown())
    }
}

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

extension StoredSync {
    /// What a machine with these keys answers to an invitation of this one.
    func answer(of keys: KeyPairs, named name: String) throws -> InvitationAnswer {
        var invitation = try invite(at: 1000)
        let received = try ReceivedInvitation(invitation.file, typed: invitation.code.grouped)
        return try #require(try invitation.read([received.answer(by: keys, named: name)], now: 2000))
    }
}

@Suite("The members of a group of vaults")
struct SyncMemberTests {
    private let group: SyncedGroup
    private let directory: TemporaryDirectory
    private let folder: SyncSpool
    private let desktop: SyncedVault
    private let laptop: SyncedVault
    private let phone: KeyPairs

    init() throws {
        group = try SyncedGroup()
        directory = try TemporaryDirectory()
        folder = SyncSpool(at: directory.path + "/folder")
        desktop = try SyncedVault(group.desktop, in: group, sharing: folder, seed: 2)
        laptop = try SyncedVault(group.laptop, in: group, sharing: folder, seed: 3)
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 90)
        phone = try KeyPairs.random(using: &entropy)
    }

    private func publish(_ machine: SyncedVault, at now: Int64) throws {
        try machine.sync.sealChanges(at: .at(now))
        try machine.tidy(at: .at(now))
    }

    private func id(_ keys: KeyPairs) -> DeviceID { keys.publicKeys.device }

    @Test("A machine that was invited over the folder joins, has everything, and is known by its name")
    func invited() throws {
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try publish(desktop, at: 2)
        var invitation = try desktop.sync.invite(at: 1000)
        try desktop.spool.putInvitation(
            invitation.file, id: invitation.id, of: id(group.desktop), in: invitation.group)
        try desktop.carry()
        // The new machine's spool, before sync is started in its vault.
        let spool = SyncSpool(at: directory.path + "/phone")
        let carrier = CopyingCarrier(spool, to: folder)
        try carrier.round(of: id(phone), in: group.id)
        let found = try #require(spool.invitations().first)
        let received = try ReceivedInvitation(found.bytes, typed: invitation.code.grouped)
        #expect(found.group == group.id && received.deviceName == "machine 2")
        #expect(received.vector[id(group.desktop)] == (try desktop.sync.vector[id(group.desktop)]))
        try spool.putAnswer(
            received.answer(by: phone, named: "phone"), id: received.id, of: id(phone), in: received.group)
        try carrier.round(of: id(phone), in: group.id)
        #expect(StoredSync.joined(received, keys: phone, files: spool) == nil)
        try desktop.carry()
        let answer = try #require(try invitation.read(desktop.spool.answers(in: group.id), now: 2000))
        let key = try desktop.sync.members?.epochKeys.current
        try desktop.sync.admit(answer, at: .at(3))
        #expect(try desktop.sync.members?.epochKeys.current != key && desktop.sync.hasChanges)
        #expect(throws: SyncFailure.admittedBefore) { try desktop.sync.admit(answer, at: .at(3)) }
        try publish(desktop, at: 4)
        try carrier.round(of: id(phone), in: group.id)
        let members = try #require(StoredSync.joined(received, keys: phone, files: spool))
        let machine = try SyncedVault(phone, in: group, sharing: folder, seed: 4, members: members)
        try machine.mergeArrived(at: .at(5))
        #expect(try machine.vault.password("shop.example", "ann") == "one")
        try publish(machine, at: 6)
        for other in [desktop, laptop] {
            try other.mergeArrived(at: .at(7))
            let known = try #require(try other.sync.devices().first { $0.id == id(phone) })
            #expect(known.isMember && known.name == "machine 4")
        }
    }

    @Test("What an invitation states and the folder does not have is reported as missing")
    func expected() throws {
        let vault = try Vault.new()
        let expected = VersionVector([id(group.desktop): 12])
        try vault.writers.sync.start(
            group.laptop, group.members, deviceName: "laptop", expecting: expected, at: .at())
        let known = try #require(try vault.writers.sync.devices().first { $0.id == id(group.desktop) })
        #expect(known.missing == 12 && known.merged == 0)
    }

    @Test("What is known of files and machines is read as it was stored, and other bytes are nothing")
    func progress() {
        var progress = SyncProgress()
        (progress.covered, progress.next, progress.lastSnapshot, progress.snapshotBasis) = (4, 6, .at(3), 77)
        (progress.isRestored, progress.bringsAgain, progress.versionFloor) = (true, true, 900)
        progress.nextKeys = 41
        progress.met[id(phone)] = SyncProgress.Met(name: "phone", merged: .at(9))
        progress.met[id(group.laptop)] = SyncProgress.Met(name: "läptop")
        progress.expected = VersionVector([id(phone): 8])
        progress.merged.note(FileSummary(delta: 3...5, of: id(phone), vector: VersionVector([id(group.laptop): 2])))
        #expect(SyncProgress(stored: progress.stored) == progress)
        #expect(progress.missing(of: id(phone), upTo: nil) == 8 && progress.missing(of: id(phone), upTo: 6) == 6)
        #expect(progress.missing(of: id(group.laptop), upTo: nil) == 2)
        let bytes = progress.stored.withUnsafeBytes { Array($0) }
        for count in 0..<bytes.count {
            #expect(SyncProgress(stored: SecretBytes(copying: bytes.prefix(count), count: count)) == nil)
        }
    }

    @Test("What a removed machine writes later counts nowhere, and it keeps it; the others have another key")
    func removed() throws {
        _ = try laptop.vault.writers.credentials.save("early.example", "ann", "early", at: .at(1))
        try publish(laptop, at: 2)
        try desktop.mergeArrived(at: .at(3))
        let key = try desktop.sync.members?.epochKeys.current
        #expect(try desktop.sync.remove(id(group.laptop), by: .thisDevice, at: .at(4)).isEmpty)
        #expect(try desktop.sync.members?.epochKeys.current != key)
        _ = try laptop.vault.writers.credentials.save("late.example", "ann", "late", at: .at(5))
        try publish(laptop, at: 6)
        try publish(desktop, at: 7)
        try desktop.mergeArrived(at: .at(8))
        #expect(try desktop.vault.password("early.example", "ann") == "early")
        #expect(try desktop.vault.password("late.example", "ann") == nil)
        #expect(desktop.arrivals.malformed.isEmpty)
        #expect(desktop.spool.received(of: id(group.laptop), in: group.id).isEmpty)
        #expect(try desktop.sync.devices().first { $0.id == id(group.laptop) }?.isMember == false)
        #expect(try laptop.mergeArrived(at: .at(9)).problem == .removed)
        for seed in [70, 71] as [UInt64] {
            #expect(try !laptop.sync.isMember && !laptop.sync.hasChanges)
            #expect(try laptop.vault.password("late.example", "ann") == "late")
            #expect(throws: SyncFailure.notMember) { try laptop.tidy(at: .at(10)) }
            _ = try laptop.vault.writers.credentials.save("late.example", "ann", "later \(seed)", at: .at(11))
            #expect(try laptop.vault.password("late.example", "ann") == "later \(seed)")
            #expect(try laptop.vault.check().isIntact)
            _ = try laptop.vault.writers.credentials.save("late.example", "ann", "late", at: .at(12))
            try laptop.kill(seed: seed)
        }
    }

    /// A delta of the laptop with one statement, or with operations.
    private func delta(
        _ statement: SignedStatement? = nil, _ operations: [SyncOperation] = [], sequence: UInt64
    ) throws -> WrittenSyncFile {
        let key = try #require(group.members.currentKey(of: group.laptop))
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 91)
        return try SyncFileWriter(group: group.id, keys: group.laptop, epochKey: key, deviceName: "thief").delta(
            sequence...sequence, operations, vector: VersionVector(), statements: [statement].compactMap(\.self),
            using: &entropy)
    }

    @Test("What a member publishes under the id of another kind of object is refused, and that member can be removed")
    func otherKinds() throws {
        let shop = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        let origin = FileOrigin(device: id(group.laptop), sequence: 1)
        let value = ElementValue.field("label", SyncSecret(SecretBytes(utf8: "x")))
        let element = Element(stamp: Stamp(time: .at(1), origin: origin, random: 1), value: value)
        let ids = [
            ObjectID(kind: .item, high: shop.high, low: shop.low), ObjectID(kind: .offer, high: 1, low: 2),
            ObjectID(kind: .credential, high: 1, low: StoredOperations.counterEnding),
        ]
        for other in ids {
            let file = try delta(nil, [.add(other, element)], sequence: 1)
            #expect(throws: SyncFailure.file(.contentMalformed)) {
                _ = try desktop.sync.merge(file.bytes, name: file.name, of: id(group.laptop), at: .at(3))
            }
        }
        try desktop.sync.remove(id(group.laptop), by: .thisDevice, at: .at(4))
        #expect(try desktop.sync.members?.list.members == [id(group.desktop)])
        let state = try desktop.vault.store.read { records throws(VaultError) in
            try SyncReader(records: records).state(cuts: [:])
        }
        #expect(state.ids == [shop] && state.isAlive(shop))
        #expect(try desktop.vault.password("shop.example", "ann") == "one" && desktop.vault.check().isIntact)
    }

    @Test("What members have stated is stored and merged where it is longer than a record may be")
    func longStatements() throws {
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 92)
        let machines = [phone, try KeyPairs.random(using: &entropy), try KeyPairs.random(using: &entropy)]
        for machine in [desktop, laptop] { machine.vault.limits.recordBytes = 256 }
        for (number, keys) in machines.enumerated() {
            try desktop.sync.admit(desktop.sync.answer(of: keys, named: "machine \(number)"), at: .at(1))
        }
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        for keys in machines { #expect(try laptop.sync.members?.list.contains(id(keys)) == true) }
    }

    @Test("What a removed machine states under a sequence of before counts only where a present member passes it on")
    func backdated() throws {
        for number in 1...3 as ClosedRange<Int64> {
            _ = try laptop.vault.writers.credentials.save("a\(number).example", "ann", "x", at: .at(number))
            try publish(laptop, at: number)
        }
        try desktop.mergeArrived(at: .at(4))
        let admission = try SignedStatement.admission(
            of: phone.publicKeys, to: group.id, by: group.laptop, sequence: 2)
        let file = try delta(admission, sequence: 2)
        let third = try SyncedVault(copying: desktop, seed: 4)
        try desktop.sync.remove(id(group.laptop), by: .thisDevice, at: .at(5))
        let key = try desktop.sync.members?.epochKeys.current
        #expect(throws: SyncFailure.file(.removed(id(group.laptop)))) {
            _ = try desktop.sync.merge(file.bytes, name: file.name, of: id(group.laptop), at: .at(6))
        }
        #expect(try desktop.sync.members?.list.members == [id(group.desktop)])
        #expect(try desktop.sync.members?.epochKeys.current == key)
        // One that did not know of the removal has it, as it would have a statement of before.
        _ = try third.sync.merge(file.bytes, name: file.name, of: id(group.laptop), at: .at(6))
        #expect(try third.sync.members?.list.contains(id(phone)) == true)
    }

    @Test("A snapshot that had too many entries is written as soon as those of a removed machine count no more")
    func fewerEntries() throws {
        _ = try laptop.vault.writers.credentials.save("early.example", "ann", "early", at: .at(1))
        try publish(laptop, at: 2)
        try desktop.mergeArrived(at: .at(3))
        // A copy of the desktop removes the laptop before its next file.
        let third = try SyncedVault(copying: desktop, seed: 4)
        try third.sync.remove(id(group.laptop), by: .thisDevice, at: .at(4))
        _ = try laptop.vault.writers.credentials.save("late.example", "ann", "late", at: .at(5))
        try publish(laptop, at: 6)
        try desktop.mergeArrived(at: .at(7))
        #expect(throws: SyncFailure.limit(.entries)) {
            try desktop.sync.tidy(desktop.spool, at: .at(8), upTo: 1)
        }
        let statements = try #require(try third.sync.members).statements
        #expect(try !desktop.sync.accept(statements, at: .at(9)).isEmpty)
        #expect(try desktop.vault.password("late.example", "ann") == nil)
        #expect(try desktop.sync.tidy(desktop.spool, at: .at(10), upTo: 1) == .snapshot)
    }

    @Test("A machine removes neither itself, nor an unknown one, nor one that came in before it; the recovery key does")
    func seniors() throws {
        #expect(throws: SyncFailure.itself) {
            try laptop.sync.remove(id(group.laptop), by: .recoveryKey(group.recovery), at: .at(1))
        }
        #expect(throws: SyncFailure.unknownDevice) {
            try laptop.sync.remove(id(phone), by: .thisDevice, at: .at(1))
        }
        #expect(throws: SyncFailure.senior) {
            try laptop.sync.remove(id(group.desktop), by: .thisDevice, at: .at(1))
        }
        #expect(throws: SyncFailure.otherRecoveryKey) {
            try laptop.sync.remove(id(group.desktop), by: .recoveryKey(phone), at: .at(1))
        }
        #expect(try laptop.sync.members?.list.members.count == 2)
        try laptop.sync.remove(id(group.desktop), by: .recoveryKey(group.recovery), at: .at(1))
        #expect(try laptop.sync.members?.list.members == [id(group.laptop)])
        try publish(laptop, at: 2)
        try desktop.tidy(at: .at(3))
        #expect(try desktop.mergeArrived(at: .at(4)).problem == .removed)
    }

    @Test("A machine that a stolen one has removed is a member again when it removes that one by the recovery key")
    func removedByThief() throws {
        _ = try desktop.vault.writers.credentials.save("early.example", "ann", "early", at: .at(1))
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        try desktop.sync.remove(id(group.laptop), by: .thisDevice, at: .at(4))
        try publish(desktop, at: 5)
        #expect(try laptop.mergeArrived(at: .at(6)).problem == .removed)
        _ = try laptop.vault.writers.credentials.save("late.example", "ann", "late", at: .at(7))
        #expect(throws: SyncFailure.notMember) {
            try laptop.sync.remove(id(group.desktop), by: .thisDevice, at: .at(8))
        }
        try laptop.sync.remove(id(group.desktop), by: .recoveryKey(group.recovery), at: .at(8))
        #expect(try laptop.sync.members?.list.members == [id(group.laptop)])
        try publish(laptop, at: 9)
        #expect(try laptop.vault.password("early.example", "ann") == "early")
        #expect(try laptop.vault.password("late.example", "ann") == "late" && laptop.vault.check().isIntact)
        try desktop.mergeArrived(at: .at(10))
        #expect(try desktop.sync.members?.list.members == [id(group.laptop)])
    }

    @Test("A member that finds no key draws one for all, and the others use it")
    func drawn() throws {
        let group = try SyncedGroup(seed: 5, hasKey: false)
        let desktop = try SyncedVault(group.desktop, in: group, sharing: folder, seed: 2)
        let laptop = try SyncedVault(group.laptop, in: group, sharing: folder, seed: 3)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let key = try #require(try desktop.sync.members?.epochKeys.current)
        #expect(try !desktop.sync.drawKeyIfNone(at: .at(2)))
        try laptop.mergeArrived(at: .at(3))
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        #expect(try laptop.sync.members?.epochKeys.current == key && !laptop.sync.drawKeyIfNone(at: .at(4)))
    }

    @Test("After a stop nothing of sync is left but the credentials, and it can be started again")
    func stopped() throws {
        _ = try laptop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try laptop.sync.sealChanges(at: .at(2))
        _ = try laptop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(3))
        let shown = try laptop.shown()
        #expect(try !laptop.sync.isAbsent)
        try laptop.sync.stop(at: .at(4))
        #expect(try !laptop.sync.isStarted && laptop.sync.devices().isEmpty && !laptop.sync.hasChanges)
        #expect(try laptop.sync.isAbsent)
        #expect(try laptop.shown() == shown && laptop.vault.check().isIntact)
        try laptop.kill(seed: 62)
        #expect(try !laptop.sync.isStarted && laptop.shown() == shown)
        laptop.vault.close()
        let database = laptop.directory.database
        #expect(try Tampering.integer("SELECT count(*) FROM record WHERE substr(id, 1, 1) = x'08'", on: database) == 0)
        let again = try Vault.unlocked(laptop.directory.vault, seed: 63)
        _ = try again.writers.credentials.save("later.example", "ann", "later", at: .at(6))
        try again.writers.sync.start(phone, group.members, deviceName: "again", at: .at(7))
        #expect(try again.writers.sync.isStarted && again.check().isIntact)
    }

    @Test("A machine's new name reaches the others")
    func renamed() throws {
        try publish(desktop, at: 1)
        try laptop.mergeArrived(at: .at(2))
        try desktop.sync.rename(to: "office", at: .at(3))
        #expect(try desktop.sync.name == "office")
        try publish(desktop, at: 4)
        try laptop.mergeArrived(at: .at(5))
        #expect(try laptop.sync.devices().first { $0.id == id(group.desktop) }?.name == "office")
    }
}

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

@Suite("The files of a vault with sync")
struct SyncedFolderTests {
    private let group: SyncedGroup
    private let folder: TemporaryDirectory
    private let spool: SyncSpool

    init() throws {
        group = try SyncedGroup()
        folder = try TemporaryDirectory()
        spool = SyncSpool(at: folder.path + "/spool")
    }

    private func machine(_ keys: KeyPairs, seed: UInt64) throws -> SyncedVault {
        try SyncedVault(keys, in: group, sharing: spool, seed: seed)
    }

    private func path(_ name: SyncFileName, of device: DeviceID) -> String {
        "\(spool.directory(of: device, in: group.members.group))/\(name)"
    }

    @Test("Sixteen files of changes become one, a snapshot replaces all, and a newcomer has everything at any time")
    func joined() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let device = group.desktop.publicKeys.device
        for number in 0..<150 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "before \(number)")
        }
        #expect(try desktop.tidy(at: .at()) == .snapshot)
        var greatest = 0
        var joined = 0
        for number in 0..<40 {
            let now = Timestamp.at(Int64(number) + 1)
            _ = try desktop.vault.writers.credentials.save("d.example", "ann", "password \(number)", at: now)
            try desktop.sync.sealChanges(at: now)
            if try desktop.tidy(at: now) == .joined { joined += 1 }
            let names = spool.names(of: device, in: group.members.group)
            #expect(Set(names) == Set(try #require(desktop.vault.store.sync).progress.files.map(\.name)))
            greatest = max(greatest, names.count)
        }
        #expect(joined > 0 && greatest <= 17)
        let laptop = try machine(group.laptop, seed: 3)
        try laptop.mergeFolder(at: .at(100))
        #expect(try laptop.vault.password("d.example", "ann") == "password 39")
        #expect(try laptop.shown() == desktop.shown())
        #expect(try laptop.sync.vector[device] == desktop.sync.vector[device])
        // A week later everything is in one file.
        #expect(try desktop.tidy(at: .at(8 * 86_400_000)) == .snapshot)
        #expect(spool.names(of: device, in: group.members.group).map(\.isSnapshot) == [true])
    }

    @Test("A snapshot with more entries than others merge is not written, and takes no sequence")
    func excessive() throws {
        let desktop = try machine(group.desktop, seed: 2)
        for number in 0..<3 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number)", at: .at(1))
        }
        try desktop.tidy(at: .at(2))
        let progress = try #require(desktop.vault.store.sync).progress
        #expect(throws: SyncFailure.limit(.entries)) {
            try desktop.sync.writeSnapshot(to: desktop.spool, at: .at(3), upTo: 2)
        }
        #expect(desktop.vault.store.sync?.progress == progress)
        #expect(try desktop.sync.writeSnapshot(to: desktop.spool, at: .at(4), upTo: 3).isSnapshot)
    }

    @Test("Where a snapshot that is due would have too many entries, changes are published and joined all the same")
    func excessiveSnapshot() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let (device, id, hour) = (group.desktop.publicKeys.device, group.id, 3_600_000 as Int64)
        for number in 0..<3 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number)", at: .at(1))
        }
        #expect(try desktop.tidy(at: .at(2)) == .snapshot)
        try desktop.sync.rename(to: "other", at: .at(3))
        for number in 0..<16 {
            let now = Timestamp.at(Int64(number) + 4)
            _ = try desktop.vault.writers.credentials.save("b0.example", "ann", "changed \(number)", at: now)
            try desktop.sync.sealChanges(at: now)
        }
        let next = try #require(desktop.vault.store.sync).progress.next
        #expect(throws: SyncFailure.limit(.entries)) { try desktop.sync.tidy(desktop.spool, at: .at(20), upTo: 2) }
        let names = desktop.spool.names(of: device, in: id)
        #expect(names.count == 2 && names.count { $0.isSnapshot } == 1)
        #expect(try desktop.sync.outbox().isEmpty && desktop.vault.store.sync?.progress.next == next)
        // All is compared for it: it is not tried again for an hour.
        #expect(throws: SyncFailure.limit(.entries)) { try desktop.tidy(at: .at(hour + 19)) }
        #expect(try desktop.tidy(at: .at(hour + 20)) == .snapshot)
        #expect(desktop.spool.names(of: device, in: id).map(\.isSnapshot) == [true])
        let laptop = try machine(group.laptop, seed: 3)
        try laptop.mergeFolder(at: .at(hour + 21))
        #expect(try laptop.vault.password("b0.example", "ann") == "changed 15")
    }

    @Test("A snapshot that is written shows that the next one need not wait for the end of an hour")
    func writtenElsewhere() throws {
        let desktop = try machine(group.desktop, seed: 2)
        for number in 0..<3 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number)", at: .at(1))
        }
        #expect(throws: SyncFailure.limit(.entries)) { try desktop.sync.tidy(desktop.spool, at: .at(2), upTo: 2) }
        try desktop.writeSnapshot(at: .at(3))
        try desktop.sync.rename(to: "other", at: .at(4))
        #expect(try desktop.tidy(at: .at(5)) == .snapshot)
    }

    @Test("A vault that lacks a credential and its stamps writes no snapshot: the files that have them stay")
    func lackingRows() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let (device, id, week) = (group.desktop.publicKeys.device, group.id, 8 * 86_400_000 as Int64)
        for number in 0..<20 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number)", at: .at(1))
        }
        #expect(try desktop.tidy(at: .at(2)) == .snapshot)
        let saved = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(3)).id
        try desktop.sync.sealChanges(at: .at(4))
        #expect(try desktop.tidy(at: .at(5)) == .nothing)
        let names = Set(desktop.spool.names(of: device, in: id))
        #expect(names.count == 2)
        try desktop.reopen(seed: 20) { directory in
            let ids = "(\(Tampering.literal(saved)), \(Tampering.literal(SyncSlice.entry(of: saved))))"
            for table in ["record", "lookup"] {
                try Tampering.execute("DELETE FROM \(table) WHERE id IN \(ids)", on: directory.database)
            }
        }
        let next = try #require(desktop.vault.store.sync).progress.next
        #expect(throws: SyncFailure.vault(.damaged("vault"))) {
            try desktop.sync.tidy(desktop.spool, at: .at(week))
        }
        #expect(Set(desktop.spool.names(of: device, in: id)) == names)
        #expect(desktop.vault.store.sync?.progress.next == next)
        let laptop = try machine(group.laptop, seed: 3)
        try laptop.mergeFolder(at: .at(week + 1))
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
    }

    @Test("What was sealed is put out, too, where an own file that came back cannot be merged for a damaged entry")
    func damagedEntry() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let (device, id) = (group.desktop.publicKeys.device, group.id)
        let saved = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try desktop.sync.sealChanges(at: .at(2))
        let former = try #require(try desktop.sync.outbox().first)
        #expect(try desktop.tidy(at: .at(3)) == .snapshot)
        // The folder was rolled back.
        try spool.write(former.name, former.bytes, of: device, in: id)
        try desktop.reopen(seed: 20) { directory in
            let entry = Tampering.literal(SyncSlice.entry(of: saved))
            try Tampering.execute(
                "UPDATE record SET sealed = zeroblob(300) WHERE id = \(entry)", on: directory.database)
        }
        _ = try desktop.vault.writers.credentials.save("later.example", "ann", "later", at: .at(4))
        try desktop.sync.sealChanges(at: .at(5))
        let sealed = try #require(try desktop.sync.outbox().first).name
        #expect(throws: SyncFailure.self) { try desktop.tidy(at: .at(6)) }
        #expect(desktop.spool.received(of: device, in: id) == [former.name])
        #expect(try desktop.sync.outbox().isEmpty && desktop.spool.names(of: device, in: id).contains(sealed))
    }

    @Test("A joined file that is the sixteenth of its size is joined in the same tidying")
    func joinedTwice() throws {
        let desktop = try machine(group.desktop, seed: 2)
        // The snapshot is more than twice as large as all changes together.
        let long = String(repeating: "x", count: 500)
        for number in 0..<100 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        #expect(try desktop.tidy(at: .at()) == .snapshot)
        // Fifteen files, each of as many sequences as a joined one, and sixteen of one sequence.
        for number in 0..<31 {
            let now = Timestamp.at(Int64(number) + 1)
            if number < 15 { desktop.vault.store.sync?.progress.next += 15 }
            _ = try desktop.vault.writers.credentials.save("d.example", "ann", "password \(number)", at: now)
            try desktop.sync.sealChanges(at: now)
        }
        #expect(try desktop.tidy(at: .at(100)) == .joined)
        let names = spool.names(of: group.desktop.publicKeys.device, in: group.members.group)
        #expect(names.count { $0.isSnapshot } == 1 && names.count == 2)
        let laptop = try machine(group.laptop, seed: 3)
        try laptop.mergeFolder(at: .at(101))
        #expect(try laptop.shown() == desktop.shown())
    }

    @Test("What the folder lost of this machine's files is put back, and what came back of its former ones is removed")
    func lost() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let device = group.desktop.publicKeys.device
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let former = try #require(spool.names(of: device, in: group.members.group).first)
        let bytes = try #require(spool.read(former, of: device, in: group.members.group))
        // The carrier puts back what only the folder has lost.
        try FileManager.default.removeItem(atPath: path(former, of: device))
        #expect(try desktop.tidy(at: .at(3)) == .nothing)
        #expect(spool.names(of: device, in: group.members.group) == [former])
        desktop.spool.remove(former, of: device, in: group.members.group)
        #expect(try desktop.tidy(at: .at(3)) == .snapshot)
        #expect(try desktop.tidy(at: .at(4)) == .nothing)
        let present = spool.names(of: device, in: group.members.group)
        #expect(present.count == 1 && present != [former])
        // The folder was rolled back.
        try spool.write(former, bytes, of: device, in: group.members.group)
        #expect(try desktop.tidy(at: .at(5)) == .nothing)
        #expect(spool.names(of: device, in: group.members.group) == present)
        #expect(desktop.spool.received(of: device, in: group.members.group).isEmpty)
        #expect(try desktop.sync.device == device)
        let laptop = try machine(group.laptop, seed: 3)
        try laptop.mergeFolder(at: .at(6))
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
    }

    @Test("Of two copies of a machine that both write, one takes a new id, and all agree on what both wrote")
    func twins() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let laptop = try machine(group.laptop, seed: 3)
        let device = group.desktop.publicKeys.device
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        try laptop.tidy(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        _ = try desktop.vault.writers.credentials.save("a.example", "ann", "of the first", at: .at(3))
        _ = try twin.vault.writers.credentials.save("b.example", "ann", "of the copy", at: .at(4))
        _ = try twin.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(5))
        for (machine, now) in [(desktop, 6), (twin, 7)] as [(SyncedVault, Int64)] {
            try machine.sync.sealChanges(at: .at(now))
        }
        #expect(try desktop.tidy(at: .at(8)) == .nothing)
        #expect(try twin.tidy(at: .at(9)) == .renewed)
        #expect(try twin.sync.device != device && !twin.sync.isRestored)
        try laptop.mergeFolder(at: .at(10))
        try twin.mergeFolder(at: .at(11))
        try desktop.mergeFolder(at: .at(12))
        _ = try desktop.tidy(at: .at(13))
        for machine in [laptop, twin, desktop] {
            try machine.mergeFolder(at: .at(14))
            #expect(try machine.vault.password("a.example", "ann") == "of the first")
            #expect(try machine.vault.password("b.example", "ann") == "of the copy")
            #expect(try machine.vault.password("shop.example", "ann") == "two")
            #expect(try machine.vault.check().isIntact)
        }
        #expect(try laptop.shown() == twin.shown())
        // What the renewed one saves next reaches the others.
        _ = try twin.vault.writers.credentials.save("c.example", "ann", "later", at: .at(15))
        try twin.sync.sealChanges(at: .at(16))
        _ = try twin.tidy(at: .at(17))
        try laptop.mergeFolder(at: .at(18))
        #expect(try laptop.vault.password("c.example", "ann") == "later")
    }

    @Test("A copy of a machine is noticed before it puts out what it has sealed, which its new id publishes")
    func sealedTwin() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let laptop = try machine(group.laptop, seed: 3)
        let (device, id) = (group.desktop.publicKeys.device, group.members.group)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        _ = try desktop.vault.writers.credentials.save("a.example", "ann", "of the first", at: .at(3))
        _ = try twin.vault.writers.credentials.save("b.example", "ann", "of the copy", at: .at(4))
        for machine in [desktop, twin] { try machine.sync.sealChanges(at: .at(5)) }
        try desktop.tidy(at: .at(6))
        let files = Set(spool.names(of: device, in: id))
        let sealed = try #require(try twin.sync.outbox().first).name
        try twin.carry()
        var present: [SyncFileName] = []
        let done = try twin.sync.tidy(twin.spool, at: .at(7)) { _ in present += twin.spool.names(of: device, in: id) }
        #expect(done == .renewed && !present.isEmpty && !present.contains(sealed))
        #expect(try twin.sync.outbox().isEmpty && !twin.sync.hasChanges)
        // A carrier that has the former id yet would remove from the folder what is missing; killed here, it is removed later.
        #expect(!twin.spool.names(of: device, in: id).isEmpty)
        try twin.kill(seed: 10)
        #expect(try twin.tidy(at: .at(8)) == .nothing && twin.vault.check().isIntact)
        #expect(twin.spool.names(of: device, in: id).isEmpty && Set(spool.names(of: device, in: id)) == files)
        try laptop.mergeFolder(at: .at(9))
        #expect(try laptop.vault.password("a.example", "ann") == "of the first")
        #expect(try laptop.vault.password("b.example", "ann") == "of the copy")
    }

    @Test("A copy of a machine whose snapshot would have too many entries keeps its id, and publishes")
    func excessiveTwin() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let laptop = try machine(group.laptop, seed: 3)
        let (device, id, hour) = (group.desktop.publicKeys.device, group.id, 3_600_000 as Int64)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        _ = try desktop.vault.writers.credentials.save("a.example", "ann", "of the first", at: .at(3))
        _ = try twin.vault.writers.credentials.save("b.example", "ann", "of the copy", at: .at(4))
        for machine in [desktop, twin] { try machine.sync.sealChanges(at: .at(5)) }
        try desktop.tidy(at: .at(6))
        let sealed = try #require(try twin.sync.outbox().first).name
        try twin.carry()
        let received = twin.spool.received(of: device, in: id)
        for now in [7, 8] as [Int64] {
            #expect(throws: SyncFailure.limit(.entries)) { try twin.sync.tidy(twin.spool, at: .at(now), upTo: 1) }
            try twin.sync.removeFormer(from: twin.spool)
            try twin.carry()
        }
        #expect(twin.spool.names(of: device, in: id).contains(sealed) && !received.isEmpty)
        #expect(twin.spool.received(of: device, in: id) == received)
        #expect(try twin.sync.outbox().isEmpty && twin.sync.device == device)
        try laptop.mergeFolder(at: .at(9))
        #expect(try laptop.vault.password("a.example", "ann") == "of the first")
        #expect(try laptop.vault.password("b.example", "ann") == "of the copy")
        #expect(try twin.tidy(at: .at(hour + 8)) == .renewed)
        #expect(try twin.sync.device != device && twin.vault.check().isIntact)
        #expect(spool.names(of: device, in: id).contains(sealed))
    }

    @Test(
        "A copy of a machine that changes nothing is noticed by the sequences of its files", arguments: [false, true])
    func idleTwin(hasSameSequence: Bool) throws {
        let desktop = try machine(group.desktop, seed: 2)
        let device = group.desktop.publicKeys.device
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        // The weekly snapshot, which the copy has written, too, or not.
        let week: Int64 = 8 * 86_400_000
        #expect(try desktop.tidy(at: .at(week)) == .snapshot)
        if hasSameSequence { #expect(try twin.sync.tidy(twin.spool, at: .at(week)) == .snapshot) }
        #expect(try twin.tidy(at: .at(week + 1)) == .renewed)
        #expect(try twin.sync.device != device && !twin.sync.isRestored)
        #expect(try twin.shown() == desktop.shown())
        #expect(try twin.tidy(at: .at(week + 2)) == .nothing)
        // The other one goes on, or takes a new id, too; then both are at rest.
        #expect(try desktop.tidy(at: .at(week + 3)) == (hasSameSequence ? .renewed : .nothing))
        for machine in [desktop, twin] {
            #expect(try machine.tidy(at: .at(week + 4)) == .nothing && machine.vault.check().isIntact)
        }
    }

    @Test("A vault whose files are an older copy takes over what the spool has of it, and goes on under a new id")
    func rolledBack() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let (device, group) = (group.desktop.publicKeys.device, group.members.group)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: desktop.directory.vaultPath, to: copy)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(3))
        try desktop.sync.sealChanges(at: .at(3))
        try desktop.tidy(at: .at(4))
        try desktop.reopen(seed: 20) { try Tampering.copyFiles(from: copy.vaultPath, to: $0) }
        #expect(try desktop.vault.password("shop.example", "ann") == "one" && desktop.sync.device == device)
        #expect(try desktop.tidy(at: .at(5)) == .renewed)
        let new = try #require(try desktop.sync.device)
        #expect(try new != device && desktop.vault.password("shop.example", "ann") == "two")
        #expect(desktop.spool.names(of: device, in: group).isEmpty)
        #expect(desktop.spool.names(of: new, in: group).map(\.isSnapshot) == [true])
        #expect(try desktop.tidy(at: .at(6)) == .nothing)
        let laptop = try machine(self.group.laptop, seed: 3)
        try laptop.mergeArrived(at: .at(7))
        #expect(try laptop.vault.password("shop.example", "ann") == "two")
        // Both ids are members: the new one cannot remove the one that has admitted it.
        #expect(throws: SyncFailure.senior) { try desktop.sync.remove(device, by: .thisDevice, at: .at(8)) }
        let former = try #require(try desktop.sync.devices().first { $0.id == device })
        #expect(former.isMember && former.name == "machine 2" && !former.isThisDevice)
        try laptop.sync.remove(device, by: .recoveryKey(self.group.recovery), at: .at(9))
        try laptop.sync.sealChanges(at: .at(10))
        try laptop.tidy(at: .at(10))
        try desktop.mergeArrived(at: .at(11))
        #expect(try desktop.sync.isMember && desktop.sync.devices().first { $0.id == device }?.isMember == false)
        #expect(try desktop.shown() == laptop.shown())
    }

    @Test("A file that was put out under a former id stays where it was not merged, as its key is not known")
    func unreadable() throws {
        let desktop = try machine(group.desktop, seed: 2)
        let (device, id) = (group.desktop.publicKeys.device, group.id)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: desktop.directory.vaultPath, to: copy)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(3))
        try desktop.sync.sealChanges(at: .at(3))
        try desktop.tidy(at: .at(4))
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 93)
        let key = try EpochKey.random(using: &entropy)
        let writer = SyncFileWriter(group: id, keys: group.desktop, epochKey: key, deviceName: "machine 2")
        let other = try writer.delta(
            9...9, [SyncOperation](), vector: VersionVector(), statements: [], using: &entropy)
        try desktop.spool.write(other.name, other.bytes, of: device, in: id)
        try desktop.reopen(seed: 20) { try Tampering.copyFiles(from: copy.vaultPath, to: $0) }
        for now in [5, 6] as [Int64] {
            #expect(try desktop.tidy(at: .at(now)) == (now == 5 ? .renewed : .nothing))
            #expect(desktop.spool.names(of: device, in: id) == [other.name])
        }
        #expect(try desktop.sync.device != device && desktop.vault.password("shop.example", "ann") == "two")
    }
}

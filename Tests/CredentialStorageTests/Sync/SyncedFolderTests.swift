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
}

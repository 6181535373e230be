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

@Suite("Conflicts of a vault with sync")
struct SyncConflictTests {
    private let group: SyncedGroup
    private let directory: TemporaryDirectory
    private let desktop: SyncedVault
    private let laptop: SyncedVault
    /// One credential that both machines have.
    private let id: ObjectID

    init() throws {
        group = try SyncedGroup()
        directory = try TemporaryDirectory()
        let folder = SyncSpool(at: directory.path + "/folder")
        desktop = try SyncedVault(group.desktop, in: group, sharing: folder, seed: 2)
        laptop = try SyncedVault(group.laptop, in: group, sharing: folder, seed: 3)
        id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try exchange(at: 2)
    }

    private func publish(_ machine: SyncedVault, at now: Int64) throws {
        try machine.sync.sealChanges(at: .at(now))
        try machine.tidy(at: .at(now))
    }

    /// Both publish, and then merge what the other has published.
    private func exchange(at now: Int64) throws {
        for machine in [desktop, laptop] { try publish(machine, at: now) }
        for machine in [desktop, laptop] { try machine.mergeArrived(at: .at(now)) }
    }

    private func save(_ machine: SyncedVault, _ password: String, at now: Int64) throws {
        _ = try machine.vault.writers.credentials.save("shop.example", "ann", password, at: .at(now))
    }

    @Test("Two changes of one password, neither of which knew of the other, are recorded equally on both machines")
    func both() throws {
        try save(desktop, "of the desktop", at: 20)
        try save(laptop, "of the laptop", at: 10)
        #expect(try desktop.sync.conflicts().isEmpty)
        try exchange(at: 30)
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("shop.example", "ann") == "of the desktop")
            let found = try machine.sync.conflicts()
            #expect(found.map(\.credential) == [id] && found.map(\.isDeletion) == [false])
            #expect(found.map(\.inUse.device) == [group.desktop.publicKeys.device])
            #expect(found.map(\.inUse.time) == [.at(20)] && found.map(\.other.time) == [.at(10)])
            #expect(found.map(\.inUse.deviceName) == ["machine 2"] && found.map(\.other.deviceName) == ["machine 3"])
            #expect(found.map(\.other.device) == [group.laptop.publicKeys.device])
        }
        // It is there after a restart, and a merge of the same again adds nothing.
        let found = try laptop.sync.conflicts()
        // That it was used does not decide it.
        try laptop.vault.writers.credentials.noteUse(of: id, at: .at(30))
        try laptop.vault.releases.sync(at: .at(30))
        try laptop.kill(seed: 60)
        #expect(try laptop.sync.conflicts() == found)
        try laptop.mergeFolder(at: .at(31))
        #expect(try laptop.sync.conflicts() == found)
        // A save ends it here, and there when it arrives.
        try save(laptop, "decided", at: 40)
        #expect(try laptop.sync.conflicts().isEmpty && desktop.sync.conflicts().count == 1)
        try laptop.kill(seed: 61)
        #expect(try laptop.sync.conflicts().isEmpty)
        try exchange(at: 50)
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("shop.example", "ann") == "decided")
            #expect(try machine.sync.conflicts().isEmpty)
        }
    }

    @Test("An unlock reads no other credentials than those of conflicts, and one that was saved before it has none")
    func unlock() throws {
        try save(desktop, "of the desktop", at: 20)
        try save(laptop, "of the laptop", at: 10)
        try exchange(at: 30)
        _ = try laptop.vault.writers.credentials.save("other.example", "ann", "other", at: .at(31))
        try laptop.kill(seed: 62)
        #expect(laptop.vault.store.sync?.noted.hasFormer == false)
        #expect(laptop.vault.store.sync?.noted.unstamped == [])
        #expect(try laptop.sync.conflicts().map(\.credential) == [id])
        try save(laptop, "decided", at: 40)
        try laptop.kill(seed: 63)
        #expect(laptop.vault.store.sync?.noted.hasFormer == false)
        #expect(try laptop.sync.conflicts().isEmpty)
        // What else was saved before is published, too.
        try exchange(at: 50)
        #expect(try desktop.vault.password("shop.example", "ann") == "decided")
        #expect(try desktop.vault.password("other.example", "ann") == "other")
    }

    @Test("A change that knew of the other, an equal password, and a change of something else are no conflict")
    func none() throws {
        try save(desktop, "two", at: 10)
        try exchange(at: 11)
        try save(laptop, "three", at: 12)
        try exchange(at: 13)
        try save(desktop, "equal", at: 20)
        try save(laptop, "equal", at: 21)
        try exchange(at: 22)
        try save(desktop, "four", at: 30)
        _ = try laptop.vault.writers.credentials.update(id, at: .at(31)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try exchange(at: 32)
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("shop.example", "ann") == "four")
            #expect(try machine.sync.conflicts().isEmpty)
        }
    }

    @Test("A deletion that a new password elsewhere has reverted is noted where it was made")
    func deletion() throws {
        _ = try desktop.vault.writers.credentials.delete(id, at: .at(10))
        try save(laptop, "new", at: 11)
        try exchange(at: 20)
        #expect(try desktop.vault.password("shop.example", "ann") == "new")
        let found = try desktop.sync.conflicts()
        #expect(found.map(\.isDeletion) == [true] && found.map(\.credential) == [id])
        #expect(found.map(\.inUse.deviceName) == ["machine 3"] && found.map(\.other.deviceName) == ["machine 2"])
        // A deletion that the writer knew is none: whoever saves then means it.
        try save(desktop, "kept", at: 25)
        try exchange(at: 26)
        _ = try desktop.vault.writers.credentials.delete(id, at: .at(30))
        try exchange(at: 31)
        _ = try laptop.vault.writers.credentials.undelete(id, at: .at(32))
        try save(laptop, "again", at: 33)
        try exchange(at: 40)
        #expect(try desktop.vault.password("shop.example", "ann") == "again" && desktop.sync.conflicts().isEmpty)
    }

    @Test("Two credentials for one account, saved apart, are a conflict of the one that is shown")
    func aliases() throws {
        let one = try desktop.vault.writers.credentials.save("new.example", "ann", "one", at: .at(10)).id
        let other = try laptop.vault.writers.credentials.save("new.example", "ann", "other", at: .at(11)).id
        try exchange(at: 20)
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("new.example", "ann") == "other")
            #expect(try machine.sync.conflicts().map(\.credential) == [min(one, other)])
        }
        _ = try desktop.vault.writers.credentials.save("new.example", "ann", "decided", at: .at(30))
        #expect(try desktop.sync.conflicts().isEmpty)
    }

    @Test("The last hundred are kept")
    func limit() {
        let conflicts = (0..<3 as Range<UInt64>).map { number in
            NotedConflict(
                credential: ObjectID(kind: .credential, high: 1, low: number),
                inUse: .init(device: DeviceID(rawValue: 1), time: .at(Int64(number))),
                other: .init(device: DeviceID(rawValue: 2), time: .at()), isDeletion: number == 1)
        }
        #expect(NotedConflict.list(storedIn: NotedConflict.stored(conflicts)) == conflicts)
        #expect(NotedConflict.list(storedIn: SecretBytes(utf8: "other bytes")).isEmpty)
        let all = (0..<150 as Range<UInt64>).map { number in
            NotedConflict(
                credential: ObjectID(kind: .credential, high: 1, low: number % 120), inUse: conflicts[0].inUse,
                other: conflicts[0].other, isDeletion: false)
        }
        var kept: [NotedConflict] = []
        for conflict in all { kept = NotedConflict.list(kept, adding: [conflict], removing: [ObjectID]()) }
        #expect(kept.map(\.credential.low) == Array(50..<120) + Array(0..<30))
        kept = NotedConflict.list(kept, adding: [], removing: [all[60].credential])
        #expect(kept.count == 99 && !kept.contains { $0.credential.low == 60 })
    }
}

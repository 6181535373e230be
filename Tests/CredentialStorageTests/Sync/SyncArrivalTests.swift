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

@Suite("What the carrier brings to a vault with sync")
struct SyncArrivalTests {
    private let group: SyncedGroup
    private let directory: TemporaryDirectory
    private let folder: SyncSpool
    private let desktop: SyncedVault
    private let laptop: SyncedVault

    init() throws {
        group = try SyncedGroup()
        directory = try TemporaryDirectory()
        folder = SyncSpool(at: directory.path + "/folder")
        desktop = try SyncedVault(group.desktop, in: group, sharing: folder, seed: 2)
        laptop = try SyncedVault(group.laptop, in: group, sharing: folder, seed: 3)
    }

    private func save(_ machine: SyncedVault, _ domain: String, _ password: String, at now: Int64) throws {
        _ = try machine.vault.writers.credentials.save(domain, "ann", password, at: .at(now))
        try machine.sync.sealChanges(at: .at(now))
        try machine.tidy(at: .at(now))
    }

    private func device(_ keys: KeyPairs, seenBy machine: SyncedVault) throws -> SyncedDevice {
        try #require(try machine.sync.devices().first { $0.id == keys.publicKeys.device })
    }

    @Test("Each file is merged once and settled, and its writer's name and the time are known")
    func merged() throws {
        try save(desktop, "shop.example", "one", at: 1)
        var known = try device(group.desktop, seenBy: laptop)
        #expect(known.name == nil && known.lastMerged == nil && known.merged == 0 && known.isMember)
        let changes = try laptop.mergeArrived(at: .at(5))
        #expect(changes.problem == nil && changes.saved.count == 1 && changes.saved[0].isNew)
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        let (device, id) = (group.desktop.publicKeys.device, group.id)
        #expect(laptop.spool.received(of: device, in: id).isEmpty)
        #expect(try laptop.mergeArrived(at: .at(6)).saved.isEmpty)
        known = try self.device(group.desktop, seenBy: laptop)
        #expect(known.name == "machine 2" && known.lastMerged == .at(5) && known.missing == 0 && !known.isThisDevice)
        #expect(try known.merged == desktop.sync.vector[device])
        let own = try self.device(group.laptop, seenBy: laptop)
        #expect(own.isThisDevice && own.name == "machine 3" && own.isMember)
        #expect(try laptop.sync.name == "machine 3" && laptop.sync.devices().count == 2)
        try laptop.kill(seed: 61)
        #expect(try self.device(group.desktop, seenBy: laptop) == known)
    }

    @Test("A large file is merged batch by batch, and a save in between is stored and kept")
    func batches() throws {
        let long = String(repeating: "x", count: 1000)
        for number in 0..<150 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        try save(desktop, "shop.example", "one", at: 1)
        try laptop.carry()
        var calls = 0, saved = 0
        while true {
            let changes = try laptop.sync.mergeArrived(&laptop.arrivals, from: laptop.spool, at: .at(5), limit: 1) {
                saved += $0.count
            }
            guard changes.hasMore else { break }
            calls += 1
            _ = try laptop.vault.writers.credentials.save("during.example", "ann", "\(calls)", at: .at(6))
        }
        #expect(calls > 2 && saved == 151)
        #expect(try laptop.vault.password("during.example", "ann") == "\(calls)")
        try laptop.sync.sealChanges(at: .at(7))
        try laptop.tidy(at: .at(7))
        try desktop.mergeArrived(at: .at(8))
        let difference = try Set(desktop.shown()).symmetricDifference(laptop.shown())
        #expect(difference == [])
    }

    @Test("Where the disk has space for the first batch of a file alone, the caller knows what that has changed")
    func fullDisk() throws {
        let long = String(repeating: "x", count: 1000)
        for number in 0..<150 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        try desktop.sync.sealChanges(at: .at(1))
        try desktop.tidy(at: .at(1))
        try laptop.carry()
        let database = try laptop.vault.store.file.openDatabase, sync = try laptop.sync
        var saved: [Saved] = [], failure: SyncFailure?, pages = 1
        // Less than there is of the file already is no limit below that.
        while saved.isEmpty, pages < 3000 {
            try database.access { connection throws(VaultError) in
                try connection.run("PRAGMA max_page_count = \(pages)")
            }
            failure = nil
            do throws(SyncFailure) {
                _ = try sync.mergeArrived(&laptop.arrivals, from: laptop.spool, at: .at(5), limit: 1 << 20) {
                    saved += $0
                }
            } catch { failure = error }
            pages += 1
        }
        #expect(failure == .vault(.storageFull) && saved.count > 0 && saved.count < 150)
        try database.access { connection throws(VaultError) in try connection.run("PRAGMA max_page_count = 1000000") }
        // What was changed then is not changed again.
        let rest = try laptop.mergeArrived(at: .at(6)).saved
        #expect(saved.count + rest.count == 150 && Set((saved + rest).map(\.id)).count == 150)
    }

    @Test(
        "A file that is malformed is settled and counted, one whose copy is damaged is brought again, others are merged"
    )
    func malformed() throws {
        let device = group.desktop.publicKeys.device
        let bytes: [UInt8] = Array("AFsy".utf8) + [1, 2, 3]
        let name = SyncFileName(of: bytes, sequence: 9, isSnapshot: false)
        try save(desktop, "shop.example", "one", at: 1)
        try folder.write(name, bytes, of: device, in: group.id)
        try laptop.carry()
        let damaged = try #require(laptop.spool.received(of: device, in: group.id).first)
        let path = "\(laptop.spool.path)/in/\(group.id.hexadecimal)/\(device.hexadecimal)/\(damaged)"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        try laptop.mergeArrived(at: .at(5))
        try laptop.mergeArrived(at: .at(6))
        #expect(laptop.arrivals.malformed == [device: 1])
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        #expect(laptop.spool.received(of: device, in: group.id).isEmpty)
    }

    @Test("A file with more statements than a group may have, as anybody can write one, is counted and pauses nothing")
    func manyStatements() throws {
        try save(desktop, "shop.example", "one", at: 1)
        let device = group.desktop.publicKeys.device
        let present = try #require(folder.names(of: device, in: group.id).first)
        var bytes = try #require(folder.read(present, of: device, in: group.id))
        // How many statements follow its header.
        bytes.replaceSubrange(70..<74, with: [0, 0, 0x10, 1])
        let name = SyncFileName(of: bytes, sequence: present.sequence, isSnapshot: present.isSnapshot)
        try folder.write(name, bytes, of: device, in: group.id)
        #expect(try laptop.mergeArrived(at: .at(5)).problem == nil)
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        #expect(laptop.spool.received(of: device, in: group.id).isEmpty && laptop.arrivals.malformed == [device: 1])
    }

    /// Merges all that the carrier has brought, where a file may have 100 entries; what the last call has stated.
    private func mergeFew(at now: Int64) throws -> ArrivedChanges.Problem? {
        try laptop.carry()
        while true {
            let changes = try laptop.sync.mergeArrived(
                &laptop.arrivals, from: laptop.spool, at: .at(now), upTo: 100)
            guard changes.hasMore else { return changes.problem }
        }
    }

    @Test(
        "A file with more entries than are accepted is kept and reported while it counts, is not opened again, and others are merged",
        arguments: [false, true])
    func excessive(isMachineRemoved: Bool) throws {
        try desktop.tidy(at: .at(1))
        let long = String(repeating: "x", count: 1000)
        for number in 0..<150 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        let name = try #require(try desktop.sync.sealChanges(at: .at(2)))
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(3))
        try desktop.sync.sealChanges(at: .at(3))
        try desktop.publish()
        let device = group.desktop.publicKeys.device
        #expect(try mergeFew(at: 4) == .limit(.entries))
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
        // Its first batch is merged: it is refused in a later one.
        #expect(try laptop.vault.allCredentials().count > 1)
        #expect(laptop.spool.received(of: device, in: group.id) == [name] && laptop.arrivals.malformed.isEmpty)
        // A copy that is damaged would be brought again where it is opened.
        let path = "\(laptop.spool.path)/in/\(group.id.hexadecimal)/\(device.hexadecimal)/\(name)"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        laptop.arrivals = laptop.arrivals.begunAgain
        #expect(try mergeFew(at: 5) == .limit(.entries))
        #expect(laptop.spool.received(of: device, in: group.id) == [name])
        // A later process.
        laptop.arrivals = SyncArrivals()
        #expect(try mergeFew(at: 6) == nil && laptop.spool.received(of: device, in: group.id).isEmpty)
        #expect(try mergeFew(at: 7) == .limit(.entries))
        laptop.arrivals = laptop.arrivals.begunAgain
        if isMachineRemoved {
            try laptop.sync.remove(device, by: .recoveryKey(group.recovery), at: .at(8))
        } else {
            folder.remove(name, of: device, in: group.id)
        }
        #expect(try mergeFew(at: 9) == nil && laptop.spool.received(of: device, in: group.id).isEmpty)
    }

    @Test("What is kept of files that were merged is of those that are there")
    func forgotten() throws {
        try save(desktop, "shop.example", "one", at: 1)
        try laptop.mergeArrived(at: .at(2))
        let device = group.desktop.publicKeys.device
        laptop.arrivals = laptop.arrivals.begunAgain
        try laptop.mergeArrived(at: .at(3))
        #expect(!laptop.arrivals.opened.isEmpty)
        for name in folder.names(of: device, in: group.id) { folder.remove(name, of: device, in: group.id) }
        try laptop.mergeArrived(at: .at(4))
        #expect(laptop.arrivals.opened.isEmpty)
    }

    @Test("Two files of one sequence, of a machine and a copy, are both merged and noticed", arguments: [false, true])
    func twinFiles(isLaterProcess: Bool) throws {
        try save(desktop, "shop.example", "one", at: 1)
        try laptop.mergeArrived(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        if isLaterProcess {
            // The copy has not merged what the machine has.
            try laptop.tidy(at: .at(3))
            try desktop.mergeArrived(at: .at(4))
        }
        for (machine, domain) in [(desktop, "a.example"), (twin, "b.example")] {
            _ = try machine.vault.writers.credentials.save(domain, "ann", "two", at: .at(5))
            try machine.sync.sealChanges(at: .at(6))
        }
        let file = try #require(try twin.sync.outbox().first), device = group.desktop.publicKeys.device
        try desktop.publish()
        try laptop.mergeArrived(at: .at(7))
        #expect(laptop.arrivals.twins.isEmpty)
        laptop.arrivals = isLaterProcess ? SyncArrivals() : laptop.arrivals.begunAgain
        try folder.write(file.name, file.bytes, of: device, in: group.id)
        try laptop.mergeArrived(at: .at(8))
        #expect(laptop.arrivals.twins == [TwinFiles(device: device, sequence: file.name.sequence)])
        for domain in ["a.example", "b.example"] { #expect(try laptop.vault.password(domain, "ann") == "two") }
        // As after a quarantine.
        var sync = try #require(laptop.vault.store.sync)
        sync.progress.mergeAllAgain()
        try laptop.sync.save(sync, at: .at(9))
        _ = try laptop.sync.mergeArrived(&laptop.arrivals, from: laptop.spool, at: .at(9))
        #expect(laptop.arrivals.twins.count == 1)
    }

    @Test("A joined file, which has the last sequence of what it joins, is not taken for that of a copy")
    func joinedFile() throws {
        let long = String(repeating: "x", count: 500)
        for number in 0..<100 {
            _ = try desktop.vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        try desktop.tidy(at: .at())
        for number in 1...16 {
            _ = try desktop.vault.writers.credentials.save("d.example", "ann", "\(number)", at: .at(Int64(number)))
            try desktop.sync.sealChanges(at: .at(Int64(number)))
            try desktop.publish()
        }
        try laptop.mergeArrived(at: .at(20))
        #expect(try desktop.tidy(at: .at(21)) == .joined)
        try laptop.mergeArrived(at: .at(22))
        #expect(laptop.arrivals.twins.isEmpty)
        #expect(try laptop.vault.password("d.example", "ann") == "16")
    }

    @Test("A file of a newer format stops merging; what changes here is published, and a machine can be removed")
    func newer() throws {
        try save(desktop, "shop.example", "one", at: 1)
        let bytes: [UInt8] = Array("AFsy".utf8) + [2, 0, 0]
        let name = SyncFileName(of: bytes, sequence: 9, isSnapshot: false)
        let device = group.desktop.publicKeys.device
        try folder.write(name, bytes, of: device, in: group.id)
        _ = try laptop.vault.writers.credentials.save("own.example", "ann", "own", at: .at(2))
        #expect(try laptop.sync.hasChanges)
        let changes = try laptop.mergeArrived(at: .at(5))
        #expect(changes.problem == .update && changes.saved.isEmpty)
        #expect(try laptop.vault.password("shop.example", "ann") == nil && laptop.sync.hasChanges)
        #expect(throws: SyncFailure.needsUpdate) { try laptop.sync.invite(at: 6) }
        #expect(try laptop.sync.sealChanges(at: .at(6)) != nil)
        try laptop.tidy(at: .at(6))
        try desktop.mergeArrived(at: .at(7))
        #expect(try desktop.vault.password("own.example", "ann") == "own")
        folder.remove(name, of: device, in: group.id)
        #expect(try laptop.mergeArrived(at: .at(7)).problem == nil)
        #expect(try laptop.vault.password("shop.example", "ann") == "one")
    }

    @Test("A file of a newer format that anybody has put there does not keep a machine from being removed")
    func removalBesideNewer() throws {
        let phone = try third()
        let bytes: [UInt8] = Array("AFsy".utf8) + [2, 0, 0]
        let name = SyncFileName(of: bytes, sequence: 9, isSnapshot: false)
        try folder.write(name, bytes, of: DeviceID(rawValue: 77), in: group.id)
        #expect(try desktop.mergeArrived(at: .at(5)).problem == .update)
        try desktop.sync.remove(phone, by: .recoveryKey(group.recovery), at: .at(6))
        try desktop.sync.sealChanges(at: .at(7))
        try desktop.tidy(at: .at(7))
        folder.remove(name, of: DeviceID(rawValue: 77), in: group.id)
        try laptop.mergeArrived(at: .at(8))
        #expect(try laptop.sync.members?.list.members.count == 2)
        #expect(try laptop.sync.members?.epochKeys.current == desktop.sync.members?.epochKeys.current)
    }

    /// Lets another machine in.
    private func third() throws -> DeviceID {
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 90)
        let keys = try KeyPairs.random(using: &entropy)
        try desktop.sync.admit(desktop.sync.answer(of: keys, named: "phone"), at: .at(1))
        try desktop.sync.sealChanges(at: .at(2))
        try desktop.tidy(at: .at(2))
        try laptop.mergeArrived(at: .at(3))
        return keys.publicKeys.device
    }

    @Test("A file of a machine that is not known yet waits, and is merged when the statement that admits it is there")
    func waiting() throws {
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 90)
        let keys = try KeyPairs.random(using: &entropy)
        let device = keys.publicKeys.device
        try laptop.sync.admit(laptop.sync.answer(of: keys, named: "phone"), at: .at(1))
        let members = try laptop.sync.members
        let phone = try SyncedVault(keys, in: group, sharing: folder, seed: 4, members: members)
        _ = try phone.sync.writeSnapshot(to: phone.spool, at: .at(2))
        _ = try phone.vault.writers.credentials.save("shop.example", "ann", "of the phone", at: .at(3))
        try phone.sync.sealChanges(at: .at(3))
        let delta = try #require(try phone.sync.outbox().first)
        try folder.write(delta.name, delta.bytes, of: device, in: group.id)
        #expect(try desktop.mergeArrived(at: .at(4)).saved.isEmpty)
        #expect(desktop.arrivals.waiting.count == 1 && desktop.arrivals.malformed.isEmpty)
        #expect(desktop.spool.received(of: device, in: group.id) == [delta.name])
        try laptop.sync.sealChanges(at: .at(5))
        try laptop.tidy(at: .at(5))
        try desktop.mergeArrived(at: .at(6))
        #expect(try desktop.vault.password("shop.example", "ann") == "of the phone")
        #expect(desktop.arrivals.waiting.count == 0 && desktop.spool.received(of: device, in: group.id).isEmpty)
    }

    @Test("Where everything is to be merged again, the carrier brings it again")
    func again() throws {
        try save(laptop, "shop.example", "one", at: 1)
        try desktop.mergeArrived(at: .at(2))
        let vector = try desktop.sync.vector[group.laptop.publicKeys.device]
        #expect(vector > 0)
        // As after a quarantine.
        var sync = try #require(desktop.vault.store.sync)
        sync.progress.mergeAllAgain()
        try desktop.sync.save(sync, at: .at(3))
        #expect(try desktop.sync.vector[group.laptop.publicKeys.device] == 0)
        try desktop.mergeArrived(at: .at(4))
        try desktop.mergeArrived(at: .at(5))
        #expect(try desktop.sync.vector[group.laptop.publicKeys.device] == vector)
        #expect(try desktop.vault.password("shop.example", "ann") == "one")
    }

    @Test("Something is to be published from a save until its file is copied out, before and after a kill")
    func hasChanges() throws {
        #expect(try laptop.sync.hasChanges)
        try laptop.tidy(at: .at(1))
        #expect(try !laptop.sync.hasChanges)
        try laptop.kill(seed: 50)
        // Until it has searched what is to be stamped.
        #expect(try laptop.sync.hasChanges)
        #expect(try !laptop.sync.stampNext(at: .at(1)))
        #expect(try !laptop.sync.hasChanges)
        _ = try laptop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(2))
        #expect(try laptop.sync.hasChanges)
        try laptop.kill(seed: 51)
        #expect(try laptop.sync.hasChanges)
        try laptop.sync.sealChanges(at: .at(3))
        #expect(try laptop.sync.hasChanges)
        try laptop.kill(seed: 52)
        #expect(try laptop.sync.hasChanges)
        #expect(try !laptop.sync.stampNext(at: .at(3)))
        try laptop.publish()
        #expect(try !laptop.sync.hasChanges)
        // What others wrote is theirs to publish.
        try save(desktop, "other.example", "ann", at: 4)
        try laptop.mergeArrived(at: .at(5))
        #expect(try !laptop.sync.hasChanges)
    }
}

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

@Suite("A vault with sync that is restored or repaired")
struct SyncedRestoreTests {
    private let pair: SyncedPair
    private let group: SyncedGroup
    private let desktop: SyncedVault
    private let laptop: SyncedVault

    init() throws {
        pair = try SyncedPair()
        (group, desktop, laptop) = (pair.group, pair.desktop, pair.laptop)
    }

    /// Nothing goes on under the former id, and nothing at all before the decision.
    private func expectRenewal() throws {
        #expect(try desktop.sync.isRestored && desktop.sync.device != group.desktop.publicKeys.device)
        #expect(throws: SyncFailure.restored) { try desktop.sync.sealChanges(at: .at(9)) }
        #expect(throws: SyncFailure.restored) { try desktop.tidy(at: .at(9)) }
        #expect(throws: SyncFailure.restored) { try desktop.mergeFolder(at: .at(9)) }
        #expect(try desktop.vault.check().isIntact)
    }

    private var formerNames: Set<SyncFileName> {
        Set(pair.spool.names(of: group.desktop.publicKeys.device, in: group.members.group))
    }

    @Test("After a restore it has a new id, and where others' newer changes count nothing is lost that was published")
    func join() throws {
        let backup = try pair.backUp()
        let names = formerNames
        try pair.restore(backup)
        try expectRenewal()
        let device = try #require(try desktop.sync.device)
        _ = try desktop.vault.writers.credentials.save("new.example", "ann", "new", at: .at(10))
        try desktop.kill(seed: 80)
        #expect(try desktop.sync.isRestored && desktop.sync.device == device)
        try desktop.sync.join(at: .at(11))
        try pair.publish(desktop, at: 12)
        try desktop.mergeFolder(at: .at(13))
        try laptop.mergeFolder(at: .at(14))
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("shop.example", "ann") == "two")
            #expect(try machine.vault.password("late.example", "ann") == "late")
            #expect(try machine.vault.password("new.example", "ann") == "new")
            #expect(try machine.vault.check().isIntact)
        }
        #expect(try desktop.shown() == laptop.shown())
        #expect(formerNames == names)
    }

    @Test("The former id of a restored machine is named as such, and the recovery key removes it; nothing else changes")
    func formerID() throws {
        try pair.restore(pair.backUp())
        try desktop.sync.join(at: .at(10))
        try pair.publish(desktop, at: 11)
        try desktop.mergeFolder(at: .at(12))
        let former = group.desktop.publicKeys.device
        func device(_ machine: SyncedVault) throws -> SyncedDevice {
            try #require(try machine.sync.devices().first { $0.id == former })
        }
        #expect(try device(desktop).isFormer && device(desktop).isMember && !device(desktop).isThisDevice)
        #expect(try desktop.sync.devices().count { $0.isFormer } == 1)
        // It has let the present id in.
        #expect(throws: SyncFailure.senior) { try desktop.sync.remove(former, by: .thisDevice, at: .at(13)) }
        let shown = try desktop.shown()
        try desktop.sync.remove(former, by: .recoveryKey(group.recovery), at: .at(13))
        #expect(try desktop.sync.isMember && !device(desktop).isMember && desktop.shown() == shown)
        try pair.publish(desktop, at: 14)
        try laptop.mergeArrived(at: .at(15))
        #expect(try laptop.sync.isMember && !device(laptop).isMember && !device(laptop).isFormer)
        #expect(try laptop.shown() == shown && laptop.vault.password("late.example", "ann") == "late")
    }

    @Test("No version that a restored vault had before is given again, by a save or by a merge")
    func versions() throws {
        let backup = try pair.backUp()
        func version(_ domain: String) throws -> UInt64 {
            try #require(try desktop.vault.readers.credentials.get(for: .domain(domain), user: "ann")).version
        }
        for number in 0..<4 {
            let password = "late \(number)"
            _ = try desktop.vault.writers.credentials.save("late.example", "ann", password, at: .at(7))
        }
        let lost = (try version("shop.example"), try version("late.example"))
        #expect(lost == (2, 5))
        try pair.restore(backup)
        #expect(try version("shop.example") == 1)
        try desktop.sync.join(at: .at(9))
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "three", at: .at(10))
        #expect(try version("shop.example") > lost.0)
        try desktop.kill(seed: 83)
        try desktop.mergeFolder(at: .at(11))
        #expect(try version("late.example") > lost.1)
        let before = try version("shop.example")
        _ = try laptop.vault.writers.credentials.save("shop.example", "ann", "four", at: .at(20))
        try pair.publish(laptop, at: 21)
        try desktop.mergeFolder(at: .at(22))
        #expect(try version("shop.example") == before + 1 && desktop.vault.check().isIntact)
    }

    @Test("A restored backup that wins is what all machines have then")
    func win() throws {
        try pair.restore(pair.backUp())
        try expectRenewal()
        _ = try desktop.sync.win(over: desktop.files(), at: .at(10))
        #expect(try desktop.vault.password("shop.example", "ann") == "one")
        try pair.publish(desktop, at: 11)
        try laptop.mergeFolder(at: .at(12))
        try pair.publish(laptop, at: 13)
        try desktop.mergeFolder(at: .at(14))
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("shop.example", "ann") == "one")
            #expect(try machine.vault.password("late.example", "ann") == nil)
            #expect(try machine.vault.check().isIntact)
        }
        #expect(try desktop.shown() == laptop.shown())
    }

    /// Restores a backup on the desktop; all that the folder has then, and all but a file that the laptop has merged.
    private func restoreWithMissingFile() throws -> (
        files: [StoredSync.ReceivedFile], arrived: [StoredSync.ReceivedFile]
    ) {
        let backup = try pair.backUp()
        _ = try laptop.vault.writers.credentials.save("other.example", "bob", "other", at: .at(8))
        try laptop.sync.sealChanges(at: .at(9))
        try laptop.publish()
        try pair.restore(backup)
        let (files, former) = (try desktop.files(), group.desktop.publicKeys.device)
        let sequences = files.filter { $0.device == former }.compactMap { $0.name?.sequence }
        let last = try #require(sequences.max())
        return (files, files.filter { $0.device != former || $0.name?.sequence != last })
    }

    @Test("A restored backup wins over nothing while a file is missing that another machine has, and names whose")
    func winIncomplete() throws {
        let (files, arrived) = try restoreWithMissingFile()
        #expect(throws: SyncFailure.incomplete(["machine 2"])) { try desktop.sync.win(over: arrived, at: .at(10)) }
        #expect(try desktop.sync.isRestored && desktop.vault.password("shop.example", "ann") == "one")
        _ = try desktop.sync.win(over: files, at: .at(11))
        #expect(try !desktop.sync.isRestored && desktop.sync.devices().allSatisfy { $0.missing == 0 })
    }

    @Test("Where the user accepts that a file is missing, a restored backup wins over the others, and it is named")
    func winWithoutMissing() throws {
        let (_, arrived) = try restoreWithMissingFile()
        _ = try desktop.sync.win(over: arrived, acceptingMissing: true, at: .at(10))
        let missing = try desktop.sync.devices().filter { $0.missing > 0 }
        #expect(try !desktop.sync.isRestored && missing.map(\.id) == [group.desktop.publicKeys.device])
        #expect(try desktop.vault.password("shop.example", "ann") == "one")
        try pair.publish(desktop, at: 11)
        try laptop.mergeFolder(at: .at(12))
        for machine in [desktop, laptop] {
            #expect(try machine.vault.password("other.example", "bob") == nil && machine.vault.check().isIntact)
        }
    }

    @Test("After a salvage and after a repair it has a new id", arguments: [false, true])
    func damaged(isSalvaged: Bool) throws {
        _ = try pair.backUp()
        let id = try #require(try desktop.vault.allCredentials().first { $0.user == "ann" }).id
        try desktop.reopen(seed: 81) { directory in
            let entry = Tampering.literal(SyncSlice.entry(of: id))
            try Tampering.execute(
                "UPDATE record SET sealed = zeroblob(300) WHERE id = \(entry)", on: directory.database)
        }
        if isSalvaged {
            let outcome = try desktop.vault.salvageAttempt(from: desktop.directory.database, secret: .key()).derive()
            _ = try desktop.vault.salvage(from: desktop.directory.database, with: outcome, at: .at(8))
        } else {
            _ = try desktop.vault.repair(at: .at(8))
        }
        try expectRenewal()
        try desktop.sync.join(at: .at(10))
        try pair.publish(desktop, at: 11)
        try desktop.mergeFolder(at: .at(12))
        try laptop.mergeFolder(at: .at(13))
        #expect(try desktop.vault.password("shop.example", "ann") == "two")
        #expect(try desktop.vault.password("late.example", "ann") == "late")
        #expect(try desktop.shown() == laptop.shown())
    }

    @Test("A save whose stamps cannot be stored is stored, is replaced by no merge, and is published after a repair")
    func unstamped() throws {
        let backup = try pair.backUp()
        _ = backup
        let id = try #require(
            try desktop.vault.allCredentials().first { $0.services[0].service.value == "shop.example" }
        )
        .id
        try desktop.reopen(seed: 82) { directory in
            let entry = Tampering.literal(SyncSlice.entry(of: id))
            try Tampering.execute(
                "UPDATE record SET sealed = zeroblob(300) WHERE id = \(entry)", on: directory.database)
        }
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "three", at: .at(20))
        _ = try laptop.vault.writers.credentials.update(id, at: .at(15)) { $0.user = "bob" }
        try pair.publish(laptop, at: 16)
        #expect(throws: SyncFailure.self) { try desktop.mergeFolder(at: .at(21)) }
        #expect(try desktop.vault.password("shop.example", "ann") == "three")
        _ = try desktop.vault.repair(at: .at(22))
        try desktop.sync.join(at: .at(23))
        try pair.publish(desktop, at: 24)
        try desktop.mergeFolder(at: .at(25))
        try laptop.mergeFolder(at: .at(26))
        for machine in [desktop, laptop] {
            #expect(try machine.vault.readers.credentials.get(id)?.password.text == "three")
        }
        #expect(try desktop.shown() == laptop.shown())
    }
}

// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SyncFiles
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Files of sync that were not written or carried when something else happened")
struct SyncedInterruptionTests {
    private let pair: SyncedPair
    private let (desktop, laptop): (SyncedVault, SyncedVault)
    private let device: DeviceID

    init() throws {
        pair = try SyncedPair()
        (desktop, laptop) = (pair.desktop, pair.laptop)
        device = pair.group.desktop.publicKeys.device
    }

    private func names(of device: DeviceID) -> [SyncFileName] { desktop.spool.names(of: device, in: pair.group.id) }

    @Test(
        "What was put out before a restore, and was not carried, is merged afterwards, or is among what the backup wins over",
        arguments: [false, true])
    func uncarried(wins: Bool) throws {
        let backup = try pair.backUp()
        _ = try desktop.vault.writers.credentials.save("new.example", "ann", "three", at: .at(8))
        try desktop.sync.sealChanges(at: .at(9))
        try desktop.sync.tidy(desktop.spool, at: .at(9))
        try pair.restore(backup)
        let former = try desktop.sync.formerFiles(in: desktop.spool)
        #expect(former.count == names(of: device).count && !former.isEmpty)
        if wins {
            _ = try desktop.sync.win(over: desktop.files() + former, at: .at(10))
        } else {
            try desktop.sync.join(at: .at(10))
        }
        try pair.publish(desktop, at: 11)
        #expect(try desktop.vault.password("new.example", "ann") == (wins ? nil : "three"))
        #expect(try desktop.sync.device != device && names(of: device).isEmpty)
        try laptop.mergeArrived(at: .at(12))
        #expect(try laptop.vault.password("new.example", "ann") == (wins ? nil : "three"))
        try pair.publish(laptop, at: 13)
        try desktop.mergeArrived(at: .at(14))
        #expect(try laptop.shown() == desktop.shown() && desktop.vault.check().isIntact)
    }

    @Test("What was put out before a restore is merged also where only one of these files states the key of the others")
    func laterKey() throws {
        let phone = try KeyPairs.random(using: &desktop.vault.store.entropy)
        try desktop.sync.admit(desktop.sync.answer(of: phone, named: "phone"), at: .at(1))
        let backup = try pair.backUp()
        try desktop.sync.remove(phone.publicKeys.device, by: .thisDevice, at: .at(8))
        try desktop.sync.sealChanges(at: .at(8))
        #expect(try desktop.sync.tidy(desktop.spool, at: .at(8)) == .snapshot)
        for number in 0..<15 {
            let now = Timestamp.at(Int64(number) + 9)
            _ = try desktop.vault.writers.credentials.save("new\(number).example", "ann", "three", at: now)
            try desktop.sync.sealChanges(at: now)
        }
        try desktop.sync.publish(to: desktop.spool)
        #expect(names(of: device).count == 16)
        try pair.restore(backup)
        try desktop.sync.join(at: .at(30))
        try pair.publish(desktop, at: 31)
        #expect(names(of: device).isEmpty)
        for number in 0..<15 { #expect(try desktop.vault.password("new\(number).example", "ann") == "three") }
        try laptop.mergeArrived(at: .at(32))
        #expect(try laptop.shown() == desktop.shown())
    }

    @Test("Files stay whose joined file was recorded and not written, where no snapshot can be written")
    func unwritten() throws {
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
        try desktop.publish()
        let files = try #require(desktop.vault.store.sync).progress.files.filter { !$0.name.isSnapshot }
        let range = try #require(files.map(\.range.lowerBound).min())...#require(files.map(\.range.upperBound).max())
        let joined = SyncFileName(sequence: range.upperBound, isSnapshot: false, hash: 1)
        desktop.vault.store.sync?.progress.files.append(OwnFiles.OwnFile(name: joined, range: range, byteCount: 1))
        #expect(files.count == 16)
        for now in [20, 21] as [Int64] {
            #expect(throws: SyncFailure.limit(.entries)) { try desktop.sync.tidy(desktop.spool, at: .at(now), upTo: 2) }
            #expect(Set(names(of: device)).isSuperset(of: files.map(\.name)))
        }
        #expect(try desktop.tidy(at: .at(4_000_000)) == .snapshot)
        #expect(names(of: device).count == 1 && desktop.vault.store.sync?.progress.files.count == 1)
        #expect(try desktop.tidy(at: .at(4_000_001)) == .nothing)
    }

    @Test(
        "What a copy of this machine has written is in a snapshot before its file is removed, also where a kill comes between"
    )
    func ofTwin() throws {
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try desktop.tidy(at: .at(2))
        let twin = try SyncedVault(copying: desktop, seed: 9)
        _ = try twin.vault.writers.credentials.save("copy.example", "ann", "of the copy", at: .at(3))
        try twin.sync.sealChanges(at: .at(4))
        try twin.sync.tidy(twin.spool, at: .at(4))
        // Its own file of that sequence is replaced.
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(5))
        try desktop.sync.sealChanges(at: .at(6))
        try desktop.writeSnapshot(at: .at(7))
        #expect(try desktop.tidy(at: .at(8)) == .nothing)
        #expect(names(of: device).map(\.isSnapshot) == [true])
        try twin.carry()
        try desktop.carry()
        // What a kill leaves once the file of the copy is merged.
        let (vault, spool) = (try TemporaryDirectory(), try TemporaryDirectory())
        var copies = 0
        _ = try desktop.sync.tidy(desktop.spool, at: .at(9)) { saved in
            guard !saved.isEmpty else { return }
            do {
                try Tampering.copyFiles(from: desktop.directory.vaultPath, to: vault)
                try FileManager.default.copyItem(atPath: desktop.spool.path, toPath: spool.path + "/spool")
                copies += 1
            } catch { Issue.record(error) }
        }
        #expect(copies == 1)
        try desktop.reopen(seed: 10) { directory in
            try Tampering.copyFiles(from: vault.vaultPath, to: directory)
            try FileManager.default.removeItem(atPath: desktop.spool.path)
            try FileManager.default.copyItem(atPath: spool.path + "/spool", toPath: desktop.spool.path)
        }
        #expect(try desktop.vault.password("copy.example", "ann") == "of the copy" && desktop.sync.device == device)
        #expect(try desktop.tidy(at: .at(10)) == .snapshot)
        #expect(pair.spool.names(of: device, in: pair.group.id).map(\.isSnapshot) == [true])
        try laptop.mergeFolder(at: .at(11))
        #expect(try laptop.vault.password("copy.example", "ann") == "of the copy")
    }
}

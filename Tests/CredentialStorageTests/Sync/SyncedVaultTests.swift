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

@Suite("A vault with sync")
struct SyncedVaultTests {
    private let group: SyncedGroup
    private let folder: TemporaryDirectory
    private let spool: SyncSpool

    init() throws {
        group = try SyncedGroup()
        folder = try TemporaryDirectory()
        spool = SyncSpool(at: folder.path + "/spool")
    }

    private func desktop(_ records: [Credential] = []) throws -> SyncedVault {
        try SyncedVault(group.desktop, in: group, sharing: spool, seed: 2, records: records)
    }

    private func laptop(_ records: [Credential] = []) throws -> SyncedVault {
        try SyncedVault(group.laptop, in: group, sharing: spool, seed: 3, records: records)
    }

    private func names(in spool: SyncSpool) -> [String] {
        VaultDirectory.names(in: spool.directory(of: group.desktop.publicKeys.device, in: group.members.group)).sorted()
    }

    @Test("A vault without sync has nothing of it; one with sync is intact, and refused by older programs")
    func schema() throws {
        let plain = try TemporaryDirectory()
        let vault = try Vault.new(plain.vault)
        _ = try vault.writers.credentials.save("shop.example", "ann", "one")
        vault.close()
        #expect(
            try Tampering.integer("SELECT count(*) FROM record WHERE substr(id, 1, 1) = x'08'", on: plain.database) == 0
        )
        #expect(try Tampering.integer("SELECT count(*) FROM grdb_migrations", on: plain.database) == 2)
        let synced = try desktop()
        _ = try synced.vault.writers.credentials.save("shop.example", "ann", "one")
        #expect(try !synced.sync.stampNext(at: .at()))
        #expect(try synced.vault.check().isIntact)
        synced.vault.close()
        let database = synced.directory.database
        #expect(try Tampering.integer("SELECT count(*) FROM record WHERE substr(id, 1, 1) = x'08'", on: database) == 1)
        #expect(try Tampering.integer("SELECT count(*) FROM grdb_migrations WHERE identifier = '3'", on: database) == 1)
        let again = try Vault.unlocked(synced.directory.vault)
        #expect(try again.writers.sync.isStarted && again.check().isIntact)
    }

    @Test(
        "What a vault shows is what its stamps show, after any sequence of saves",
        arguments: 1...3 as ClosedRange<UInt64>)
    func stamps(seed: UInt64) throws {
        let synced = try desktop()
        var user = RandomUser(seed: seed)
        var chance = SeededGenerator(seed: seed)
        for step in 0..<60 {
            try user.step(synced.vault, at: .at(Int64(step) * 10))
            if step == 59 || UInt8.random(in: 0..<3, using: &chance) == 0 { _ = try synced.sync.stampNext(at: .at(0)) }
        }
        let rows = try synced.shown()
        let state = try synced.vault.writers.sync.store.read { records throws(VaultError) in
            try SyncReader(records: records).state(cuts: [:])
        }
        let shown = try state.views.map { view in
            try #require(SyncedCredential.credential(view, in: state, over: nil, at: .at()) { _ in nil })
                .withoutLocal.text
        }
        #expect(shown.sorted() == rows)
        #expect(try synced.vault.check().isIntact)
    }

    @Test("A file is published with the same bytes wherever a kill interrupts it, and once")
    func crashes() throws {
        let synced = try desktop()
        try synced.writeSnapshot(at: .at())
        for round in 0..<4 {
            let before = names(in: synced.spool)
            _ = try synced.vault.writers.credentials.save("shop.example", "ann", "password \(round)")
            let name = try #require(try synced.sync.sealChanges(at: .at(Int64(round))))
            let outbox = try synced.sync.outbox()
            switch round {
            case 0: break
            case 1:
                let folder = synced.spool.directory(
                    of: group.desktop.publicKeys.device, in: group.members.group)
                try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/.\(name).partial"))
            default:
                try synced.spool.write(
                    name, outbox[0].bytes, of: group.desktop.publicKeys.device, in: group.members.group)
            }
            try synced.kill(seed: UInt64(round) + 50)
            #expect(try synced.sync.outbox().map(\.name) == [name] && outbox.map(\.name) == [name])
            try synced.publish()
            #expect(names(in: synced.spool) == (before + ["\(name)"]).sorted())
            #expect(try synced.sync.outbox().isEmpty && synced.sync.sealChanges(at: .at(9)) == nil)
        }
    }

    @Test(
        "The sequence of a snapshot is not given again where a kill comes before its file, and what it had is published"
    )
    func reserved() throws {
        let synced = try desktop()
        _ = try synced.vault.writers.credentials.save("shop.example", "ann", "one")
        let unusable = SyncSpool(at: folder.path + "/absent/spool")
        #expect(throws: SyncFailure.self) { try synced.sync.writeSnapshot(to: unusable, at: .at()) }
        try synced.kill(seed: 60)
        let name = try #require(try synced.sync.sealChanges(at: .at(1)))
        #expect(name.sequence == 2)
        try synced.publish()
        let other = try laptop()
        try other.mergeFiles(of: group.desktop, at: .at(5))
        #expect(try other.vault.password("shop.example", "ann") == "one")
        #expect(try other.sync.vector[group.desktop.publicKeys.device] == 2)
    }

    @Test("What came from another machine belongs to no app here, and what was written here still does")
    func writers() throws {
        let (desktop, laptop) = (try desktop(), try laptop())
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one").id
        try desktop.writeSnapshot(at: .at(1))
        try laptop.mergeFiles(of: group.desktop, at: .at(2))
        #expect(try laptop.vault.readers.credentials.get(id)?.writer == .otherMachine)
        _ = try laptop.vault.writers.credentials.update(id, at: .at(3)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try laptop.writeSnapshot(at: .at(4))
        try desktop.mergeFiles(of: group.laptop, at: .at(5))
        let found = try #require(try desktop.vault.readers.credentials.get(id))
        #expect(found.writer == .shop && found.details.label == "Shop" && found.details.writer == .otherMachine)
        #expect(found.version == 2)
    }

    @Test("Two ids of one account appear as one, whose version exceeds both; the other id is an alias")
    func aliases() throws {
        let (desktop, laptop) = (try desktop(), try laptop())
        let one = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        let other = try laptop.vault.writers.credentials.save("shop.example", "ann", "other", at: .at(2))
        for step in 0..<3 {
            _ = try laptop.vault.writers.credentials.save("shop.example", "ann", "other \(step)", at: .at(3))
        }
        try desktop.writeSnapshot(at: .at(4))
        try laptop.writeSnapshot(at: .at(4))
        try laptop.mergeFiles(of: group.desktop, at: .at(5))
        try desktop.mergeFiles(of: group.laptop, at: .at(5))
        let difference = try Set(desktop.shown()).symmetricDifference(laptop.shown())
        #expect(difference == [])
        let least = min(one.id, other.id)
        for vault in [desktop.vault, laptop.vault] {
            for id in [one.id, other.id] { #expect(try vault.readers.credentials.get(id)?.id == least) }
            #expect(try vault.check().isIntact)
        }
        #expect(try laptop.vault.readers.credentials.get(one.id)?.version == 5)
        // A condition on a version from before the merge does not match.
        #expect(throws: VaultError.versionConflict(current: 5)) {
            _ = try laptop.vault.writers.credentials.delete(other.id, ifVersion: 4, at: .at(6))
        }
    }

    @Test(
        "Two vaults agree when each has merged the other's files, in any order", arguments: 1...3 as ClosedRange<UInt64>
    )
    func converge(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let earlier = (0..<3).map { Credential.random($0, using: &generator) }
        let (desktop, laptop) = (try desktop(earlier), try laptop(earlier))
        var users = [RandomUser(seed: seed), RandomUser(seed: seed + 100)]
        let machines = [desktop, laptop]
        for machine in machines { try machine.writeSnapshot(at: .at()) }
        for step in 0..<60 {
            let now = Timestamp.at(Int64(step) * 10 + 1)
            let number = Int.random(in: 0...1, using: &generator)
            try users[number].step(machines[number].vault, at: now)
            if step % 5 == 4 {
                try machines[number].sync.sealChanges(at: now)
                try machines[number].publish()
                var order = SeededGenerator(seed: seed + UInt64(step))
                try machines[1 - number].mergeFiles(of: machines[number].keys, at: now) { _ in
                    Bool.random(using: &order)
                }
            }
        }
        for machine in machines {
            try machine.sync.sealChanges(at: .at(1000))
            try machine.publish()
        }
        try laptop.mergeFiles(of: group.desktop, at: .at(1001))
        try desktop.mergeFiles(of: group.laptop, at: .at(1002))
        let difference = try Set(desktop.shown()).symmetricDifference(laptop.shown())
        #expect(difference == [])
        for machine in machines {
            #expect(try machine.vault.check().isIntact)
            try machine.kill(seed: 70)
            #expect(try machine.vault.check().isIntact)
        }
    }
}

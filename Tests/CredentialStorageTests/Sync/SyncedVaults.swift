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

/// A group of two machines with one epoch key, and their keys.
struct SyncedGroup {
    let desktop: KeyPairs
    let laptop: KeyPairs
    let recovery: KeyPairs
    let members: MemberRegister
    /// Where the files of a machine are in the folder.
    var id: GroupID { members.group }

    /// - Parameter hasKey: false leaves the epoch to be drawn.
    init(seed: UInt64 = 1, hasKey: Bool = true) throws {
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: seed)
        recovery = try #require(KeyPairs(recovery: WrittenKey.random(using: &entropy)))
        desktop = try KeyPairs.random(using: &entropy)
        laptop = try KeyPairs.random(using: &entropy)
        let founding = try SignedStatement.founding(by: desktop, recovery: recovery.publicKeys, using: &entropy)
        var members = try #require(MemberRegister(founding: founding))
        members.insert([
            try SignedStatement.admission(of: laptop.publicKeys, to: members.group, by: desktop, sequence: 1)
        ])
        if hasKey {
            let epoch = try #require(try members.newEpoch(by: desktop, sequence: 1, using: &entropy))
            members.insert([epoch.statement])
        }
        self.members = members
    }
}

/// A vault with sync, its directory and its spool, and the folder that all machines share: what another spool has put out.
final class SyncedVault {
    let directory: TemporaryDirectory
    let keys: KeyPairs
    let folder: SyncSpool
    let spool: SyncSpool
    private let carrier: CopyingCarrier
    private(set) var vault: Vault
    private var merged: Set<String> = []
    /// What is kept between calls of `mergeArrived`.
    var arrivals = SyncArrivals()

    init(
        _ keys: KeyPairs, in group: SyncedGroup, sharing folder: SyncSpool, seed: UInt64, records: [Credential] = [],
        members: MemberRegister? = nil
    ) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        (self.keys, self.folder) = (keys, folder)
        spool = SyncSpool(at: directory.path + "/spool")
        carrier = CopyingCarrier(spool, to: folder)
        vault = try Vault.new(directory.vault, seed: seed)
        if !records.isEmpty { try vault.writers.credentials.insert(records) }
        try vault.writers.sync.start(
            keys, members ?? group.members, deviceName: "machine \(seed)", at: .at())
    }

    /// What is on the disk of another at this moment, opened in its own place.
    init(copying other: SyncedVault, seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        (keys, folder) = (other.keys, other.folder)
        spool = SyncSpool(at: directory.path + "/spool")
        carrier = CopyingCarrier(spool, to: folder)
        try Tampering.copyFiles(from: other.directory.vaultPath, to: directory)
        try FileManager.default.copyItem(atPath: other.spool.path, toPath: spool.path)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    var sync: StoredSync { get throws { try vault.writers.sync } }

    /// What is on the disk at this moment, as a kill would leave it, opened again.
    func kill(seed: UInt64) throws {
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: copy)
        vault.close()
        try Tampering.copyFiles(from: copy.vaultPath, to: directory)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    /// Closes the vault, changes its files, and opens it again.
    func reopen(seed: UInt64, _ change: (TemporaryDirectory) throws -> Void) throws {
        vault.close()
        try change(directory)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    /// One round of the carrier.
    func carry() throws {
        let sync = try sync
        try carrier.round(of: try #require(sync.device), in: try #require(sync.members).group)
    }

    @discardableResult
    func tidy(at now: Timestamp) throws -> StoredSync.Tidied {
        try carry()
        let done = try sync.tidy(spool, at: now)
        try carry()
        try sync.removeFormer(from: spool)
        return done
    }

    func publish() throws {
        try sync.publish(to: spool)
        try carry()
    }

    func writeSnapshot(at now: Timestamp) throws {
        try sync.writeSnapshot(to: spool, at: now)
        try carry()
    }

    /// Merges all that the carrier has brought, and returns what changed and the problem that the last call has stated.
    @discardableResult
    func mergeArrived(
        at now: Timestamp, limit: Int = 1 << 20
    ) throws -> (saved: [Saved], problem: ArrivedChanges.Problem?) {
        try carry()
        if vault.store.sync?.progress.bringsAgain == true {
            _ = try sync.mergeArrived(&arrivals, from: spool, at: now, limit: limit)
            try carry()
        }
        var saved: [Saved] = [], changes = ArrivedChanges()
        repeat {
            changes = try sync.mergeArrived(&arrivals, from: spool, at: now, limit: limit) { saved += $0 }
        } while changes.hasMore
        try carry()
        return (saved, changes.problem)
    }

    /// All files of the folder but those of this machine's present id.
    func files() throws -> [StoredSync.ReceivedFile] {
        let group = try #require(try sync.members).group
        let groups = VaultDirectory.names(in: folder.path + "/out")
        let devices = groups.flatMap { VaultDirectory.names(in: folder.path + "/out/" + $0) }
            .compactMap { UInt128($0, radix: 16) }.map { DeviceID(rawValue: $0) }.filter { $0 != (try? sync.device) }
        return devices.sorted().flatMap { device in
            folder.names(of: device, in: group).sorted { "\($0)" < "\($1)" }.compactMap { name in
                folder.read(name, of: device, in: group).map { StoredSync.ReceivedFile($0, name: name, of: device) }
            }
        }
    }

    /// Merges all of these, again where they were merged before.
    func mergeFolder(at now: Timestamp) throws {
        for file in try files() { _ = try sync.merge(file.bytes, name: file.name, of: file.device, at: now) }
    }

    /// Merges the other machine's files that are in the folder and were not merged, in any order.
    func mergeFiles(of other: KeyPairs, at now: Timestamp, _ isThere: (String) -> Bool = { _ in true }) throws {
        let device = other.publicKeys.device
        let folder = folder.directory(of: device, in: try #require(try sync.members).group)
        for text in VaultDirectory.names(in: folder).sorted() where isThere(text) && !merged.contains(text) {
            guard let name = SyncFileName(text) else { continue }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + text)))
            _ = try sync.merge(bytes, name: name, of: device, at: now)
            merged.insert(text)
        }
    }

    /// All credentials as the user sees them, without what belongs to one machine.
    func shown() throws -> [String] {
        try vault.allCredentials().map { try $0.withoutLocal.text }.sorted()
    }
}

extension Vault {
    /// All, deleted or not.
    func allCredentials() throws -> [Credential] {
        try store.read { records throws(VaultError) in
            var found: [Credential] = []
            for id in try SyncReader(records: records).credentialIDs() {
                if let one: Credential = try records.fetch(id) { found.append(one) }
            }
            return found
        }
    }
}

extension Credential {
    /// Without what is not synced: subjects, version, last use, and when it was changed or deleted here.
    var withoutLocal: Credential {
        var copy = self
        (copy.version, copy.lastUsed, copy.writer) = (1, nil, .otherMachine)
        copy.codeWriter = nil
        copy.details.writer = nil
        copy.changed = created
        copy.deleted = deleted.map { _ in created }
        // That there was no code for a while is not kept once there is one again.
        copy.formerCodes = formerCodes.map { FormerCode(uri: $0.uri, replaced: created) }
        // Where a clock is not later than what is replaced, the stamp is, and others show the stamp's time.
        copy.previous = previous.map { Previous(password: $0.password, replaced: created) }
        return copy
    }

    var text: String { get throws { try Described.json(described) } }
}

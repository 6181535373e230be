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
    let members: MemberRegister

    init(seed: UInt64 = 1) throws {
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: seed)
        let recovery = try #require(KeyPairs(recovery: WrittenKey.random(using: &entropy)))
        desktop = try KeyPairs.random(using: &entropy)
        laptop = try KeyPairs.random(using: &entropy)
        let founding = try SignedStatement.founding(by: desktop, recovery: recovery.publicKeys, using: &entropy)
        var members = try #require(MemberRegister(founding: founding))
        members.insert([
            try SignedStatement.admission(of: laptop.publicKeys, to: members.group, by: desktop, sequence: 1)
        ])
        let epoch = try #require(try members.newEpoch(by: desktop, sequence: 1, using: &entropy))
        members.insert([epoch.statement])
        self.members = members
    }
}

/// A vault with sync, its directory and the spool that both machines share.
final class SyncedVault {
    let directory: TemporaryDirectory
    let keys: KeyPairs
    let spool: SyncSpool
    private(set) var vault: Vault
    private var merged: Set<String> = []

    init(
        _ keys: KeyPairs, in group: SyncedGroup, sharing spool: SyncSpool, seed: UInt64, records: [Credential] = [],
        at directory: TemporaryDirectory? = nil
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        (self.keys, self.spool) = (keys, spool)
        vault = try Vault.new(directory.vault, seed: seed)
        if !records.isEmpty { try vault.writers.credentials.insert(records) }
        try vault.writers.sync.start(keys, group.members, deviceName: "machine \(seed)", at: .at())
    }

    /// What is on the disk of another at this moment, opened in its own place.
    init(copying other: SyncedVault, seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        (keys, spool) = (other.keys, other.spool)
        try Tampering.copyFiles(from: other.directory.vaultPath, to: directory)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    var sync: StoredSync { get throws { try vault.writers.sync } }

    /// What is on the disk at this moment, as a kill would leave it, opened again.
    func kill(seed: UInt64) throws {
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: copy)
        vault.close(at: .at())
        try Tampering.copyFiles(from: copy.vaultPath, to: directory)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    /// Closes the vault, changes its files, and opens it again.
    func reopen(seed: UInt64, _ change: (TemporaryDirectory) throws -> Void) throws {
        vault.close(at: .at())
        try change(directory)
        vault = try Vault.unlocked(directory.vault, seed: seed)
    }

    /// All files of the folder but those of this machine's present id.
    func folder() throws -> [StoredSync.ReceivedFile] {
        let group = try #require(try sync.members).group
        let groups = VaultDirectory.names(in: spool.path)
        let devices = groups.flatMap { VaultDirectory.names(in: spool.path + "/" + $0) }
            .compactMap { UInt128($0, radix: 16) }.map { DeviceID(rawValue: $0) }.filter { $0 != (try? sync.device) }
        return devices.sorted().flatMap { device in
            spool.names(of: device, in: group).sorted { "\($0)" < "\($1)" }.compactMap { name in
                spool.read(name, of: device, in: group).map { StoredSync.ReceivedFile($0, name: name, of: device) }
            }
        }
    }

    /// Merges all of these, again where they were merged before.
    func mergeFolder(at now: Timestamp) throws {
        for file in try folder() { _ = try sync.merge(file.bytes, name: file.name, of: file.device, at: now) }
    }

    /// Merges the other machine's files that are in the spool and were not merged, in any order.
    func mergeFiles(of other: KeyPairs, at now: Timestamp, _ isThere: (String) -> Bool = { _ in true }) throws {
        let device = other.publicKeys.device
        let folder = spool.directory(of: device, in: try #require(try sync.members).group)
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
        return copy
    }

    var text: String { get throws { try Described.json(described) } }
}

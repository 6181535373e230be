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

    init(_ keys: KeyPairs, in group: SyncedGroup, sharing spool: SyncSpool, seed: UInt64, records: [Credential] = [])
        throws
    {
        directory = try TemporaryDirectory()
        (self.keys, self.spool) = (keys, spool)
        vault = try Vault.new(directory.vault, seed: seed)
        if !records.isEmpty { try vault.writers.credentials.insert(records) }
        try vault.writers.sync.start(keys, group.members, deviceName: "machine \(seed)", at: .at())
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

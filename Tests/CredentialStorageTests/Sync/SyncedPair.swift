// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage

/// Two machines of a group with one folder.
struct SyncedPair {
    let group: SyncedGroup
    let folder: TemporaryDirectory
    let spool: SyncSpool
    let desktop: SyncedVault
    let laptop: SyncedVault

    init() throws {
        group = try SyncedGroup()
        folder = try TemporaryDirectory()
        spool = SyncSpool(at: folder.path + "/spool")
        desktop = try SyncedVault(group.desktop, in: group, sharing: spool, seed: 2)
        laptop = try SyncedVault(group.laptop, in: group, sharing: spool, seed: 3)
    }

    func publish(_ machine: SyncedVault, at now: Int64) throws {
        try machine.sync.sealChanges(at: .at(now))
        _ = try machine.tidy(at: .at(now))
    }

    /// Saves one password, backs the vault up, and saves another: both are published, and the other machine has them.
    func backUp() throws -> String {
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
        try publish(desktop, at: 2)
        let backup = desktop.directory.path + "/backup.sqlite"
        _ = try desktop.vault.backups.make(at: backup, at: .at(3))
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(4))
        _ = try desktop.vault.writers.credentials.save("late.example", "ann", "late", at: .at(5))
        try publish(desktop, at: 6)
        try laptop.mergeFolder(at: .at(7))
        #expect(try laptop.vault.password("shop.example", "ann") == "two")
        return backup
    }

    /// Restores the backup into the desktop's vault.
    func restore(_ backup: String) throws {
        let outcome = try desktop.vault.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try desktop.vault.restore(from: backup, with: outcome)
        #expect(try desktop.vault.password("shop.example", "ann") == "one")
    }
}

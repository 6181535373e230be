// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// What is done while the disk is recorded: each kind of change that a vault promises to keep.
enum PowerCutWorkload: String, CaseIterable {
    case creation, records, releases, kill, backups, restore, restoreWithoutLinks, lostVault, movedReleases
    case slots, rekey, migration, salvage, imports

    func record(with recorder: DiskRecorder) throws -> RecordedVault {
        switch self {
        case .creation: try creation(recorder)
        case .records: try records(recorder)
        case .releases: try releases(recorder)
        case .kill: try kill(recorder)
        case .backups: try backups(recorder)
        case .restore: try restore(recorder, hasLinks: true)
        case .restoreWithoutLinks: try restore(recorder, hasLinks: false)
        case .lostVault: try lostVault(recorder)
        case .movedReleases: try movedReleases(recorder)
        case .slots: try slots(recorder)
        case .rekey: try rekey(recorder)
        case .migration: try migration(recorder)
        case .salvage: try salvage(recorder)
        case .imports: try imports(recorder)
        }
    }

    /// A vault with a backup of it from before, and a release that is not in its file yet.
    static func former(in home: TemporaryDirectory) throws -> (vault: Vault, backup: String) {
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "former")
        let backup = home.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        return (vault, backup)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage

/// What a vault must contain.
struct ExpectedVault: Equatable {
    /// All records.
    var records: String
    /// The release log, the oldest first.
    var releases: [String]
    /// How many of these a power cut must leave.
    var durable: Int
    /// The keys that open it.
    var keys: [UInt8]

    /// Of a vault that is unlocked. Reads from memory and the file, and writes nothing.
    init(of vault: Vault, keys: [UInt8], durable: Int = 0) throws {
        // A backup that was made may be on record or not.
        let all = try vault.records().filter { ($0 as? StoredSetting)?.name != NotedBackup.setting }
        records = try Described.json(all.map(\.described))
        releases = try vault.readers.releases.page(before: nil, limit: 10_000).elements.reversed().map {
            "\($0.number): \($0.release.time.milliseconds) \($0.release.app)"
        }
        self.durable = min(durable, releases.count)
        self.keys = keys
    }

    /// All of its releases on the disk, as after a lock.
    var synced: ExpectedVault {
        var copy = self
        copy.durable = releases.count
        return copy
    }

    /// What is not as it must be in what was found; nil: nothing.
    func difference(to found: ExpectedVault) -> String? {
        if found.records != records {
            return "other records: \(found.records.prefix(500)) instead of \(records.prefix(500))"
        }
        if found.keys != keys { return "opened by \(found.keys) instead of \(keys)" }
        if !releases.starts(with: found.releases) { return "releases \(found.releases) instead of \(releases)" }
        return found.releases.count < durable ? "\(found.releases.count) releases instead of \(durable)" : nil
    }
}

/// What must be in the folder of a recording.
struct ExpectedDisk {
    /// nil: there is none.
    var vault: ExpectedVault?
    /// Backups and replaced vaults, by their path in the folder.
    var copies: [String: ExpectedVault] = [:]
    /// Other files.
    var files: [String: [UInt8]] = [:]
    /// Symbolic links.
    var links: [String: String] = [:]
}

// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage
@testable import VaultFormat

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
    /// The releases that a check reports as missing.
    var missing: [ClosedRange<UInt64>] = []

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
        if !Set(found.releases).isSubset(of: releases) { return "releases \(found.releases) instead of \(releases)" }
        guard found.releases.starts(with: releases.prefix(durable)) else {
            return "releases \(found.releases) instead of at least the first \(durable) of \(releases)"
        }
        // Of those after them a power cut may leave any.
        let first = found.missing.map(\.lowerBound).min()
        return first.map { $0 <= durable } == true ? "release \(first ?? 0) is missing of \(durable)" : nil
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

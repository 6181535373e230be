// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// What `check` saw.
package struct CheckReport: Sendable {
    /// What is wrong; empty in a sound vault.
    package let findings: [VaultFinding]
    /// How many records and entries of the record of releases were looked at.
    package let records: Int
    package let releases: Int

    package var isSound: Bool { findings.isEmpty }
}

extension Vault: VaultView {
    /// Looks at everything: opens each record, follows the manifest and the chain of releases, and has SQLite check its
    /// pages. Changes nothing. Takes about 10 µs a record.
    package func check(_ progress: VaultProgress = VaultProgress()) throws(VaultError) -> CheckReport {
        let parts = try unlocked
        let database = try database
        return try database.access { connection throws(VaultError) -> CheckReport in
            // What is looked at is the file, not what was read of it before.
            sqlite3_db_release_memory(connection.handle)
            return try VaultInspection.report(
                on: connection, database.statements, keys: parts.keys, known: parts.manifest?.root, progress
            ).adding(parts.distrust?.finding, releases: parts.releases.pendingCount)
        }
    }
}

extension CheckReport {
    /// With what is wrong with the vault as a whole, and the entries that are not in the file yet.
    func adding(_ finding: VaultFinding?, releases count: Int) -> CheckReport {
        CheckReport(findings: [finding].compactMap(\.self) + findings, records: records, releases: releases + count)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Credentials
import VaultFormat

@testable import CredentialStorage

extension VaultBackups {
    /// Makes an automatic backup where the last one is older than a day, and removes the oldest ones but `count`, as the
    /// daemon does in steps.
    ///
    /// - Returns: nil where none was due.
    func makeIfDue(keeping count: Int, at now: Timestamp) throws(VaultError) -> BackupReport? {
        guard let path = try due(keeping: count, at: now) else { return nil }
        let report = try make(at: path, at: now)
        // Those from before the damage must stay.
        if report.findings.isEmpty { try removeOld(keeping: count) }
        return report
    }
}

// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
internal import Glibc
internal import VaultFormat

/// The result of a salvage.
package struct SalvageReport: Sendable {
    /// How many records.
    package let records: Int
    /// What is not as it was: records that are missing or do not open, and other damage.
    package let findings: [VaultFinding]
    /// How many rows are kept in quarantine.
    package let quarantined: Int
    /// Where the vault that was here before is kept; nil where there was none, or it was left unchanged.
    package let replaced: String?
}

/// Recovers all records that are still in a damaged file. The file itself is only read.
package struct VaultSalvage {
    private let vault: Vault
    private let file: VaultFile

    package init(_ vault: Vault) { (self.vault, file) = (vault, vault.recovery.file) }

    /// Prepares an attempt to open a damaged file with a secret of one of its slots, as far as these can be found.
    package func attempt(
        from path: String, secret: VaultSecret, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> UnlockAttempt {
        try UnlockAttempt(secret) { () throws(VaultError) in
            try DatabasePages(of: path, progress).slots(progress).filter(\.isIntact)
        }
    }

    /// Makes an intact vault of all records in a damaged file that open: at `target`, where nothing may be, with the vault here left
    /// unchanged; else it replaces the vault, as a `BackupRestore` does. What does not open is kept in its quarantine.
    package func run(
        from path: String, with outcome: UnlockOutcome, to target: String? = nil, at now: Timestamp,
        _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> SalvageReport {
        guard let directory = file.directory else { throw .failed(code: ENOTSUP) }
        guard outcome.opened != nil else { throw .wrongSecret(retryAfterMilliseconds: 0) }
        let isHeld = file.isHeld
        if !isHeld { try file.claim(directory, replacing: true) }
        defer {
            directory.removeBench()
            if !isHeld, !file.isThere { vault.recovery.release() }
        }
        directory.removeBench()
        // Also of one in the bench, which is removed at the end.
        if let target, access(VaultDirectory.parent(of: target), F_OK) != 0 { throw .absent(path: target) }
        let bench = VaultDirectory(path: directory.bench)
        try bench.make()
        try RowCarving.copyRows(of: path, to: bench.database, in: bench, progress)
        // The part of its release log that was not in the file yet.
        let log = path == directory.database ? directory.releaseLog : VaultDirectory.releaseLog(of: path)
        if access(log, F_OK) == 0 {
            try VaultDirectory.makeEmptyFile(bench.releaseLog)
            try VaultDirectory.copyContent(of: log, to: bench.releaseLog, progress)
        }
        let salvaged = try Vault(
            at: .directory(bench.path), program: file.program, entropy: vault.recovery.entropy, limits: vault.limits)
        defer { salvaged.close() }
        _ = try salvaged.unlock(with: outcome, at: now)
        let repair = try VaultRepair(of: salvaged, progress).run(takesOlder: true)
        guard repair.after.isIntact else { throw .backupDamaged }
        // That it is alone is no fault, and look-ups are not salvaged.
        let findings = repair.findings.filter { $0 != .unmarked && !$0.isOfLookups }
        let quarantined = try Quarantine(of: salvaged).list().count
        if let target {
            _ = try salvaged.backups.make(at: target, at: now, progress)
            return SalvageReport(
                records: repair.after.records, findings: findings, quarantined: quarantined, replaced: nil)
        }
        salvaged.close()
        let restored = try BackupRestore(vault).run(from: bench.database, with: outcome, progress)
        return SalvageReport(
            records: restored.records, findings: findings, quarantined: quarantined, replaced: restored.replaced)
    }
}

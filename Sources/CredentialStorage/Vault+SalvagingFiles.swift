// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import SecretMemory

/// What a salvage gave back.
package struct SalvageReport: Sendable {
    /// How many records.
    package let records: Int
    /// What is not as it was: records that are gone or do not open, and what else is damaged.
    package let findings: [VaultFinding]
    /// How many rows are kept in quarantine.
    package let quarantined: Int
    /// Where the vault that was here before is kept; nil where there was none, or it was left alone.
    package let replaced: String?
}

/// Of a file that is damaged in whatever way all is had back that is still in it. The file itself is only read.
extension Vault {
    /// Prepares an attempt to open a damaged file with a secret of one of its slots, as far as these can be found.
    package func salvageAttempt(from path: String, secret: VaultSecret) throws(VaultError) -> UnlockAttempt {
        try secret.checkForm()
        let slots = try DatabasePages(of: path).slots().filter { $0.isSound && $0.kind == secret.kind.rawValue }
        guard !slots.isEmpty else { throw .noSuchSlot }
        return UnlockAttempt(secret: secret, slots: slots)
    }

    /// Makes a sound vault of all records in a damaged file that open: at `target`, where nothing may be, with the vault here
    /// left alone; else in the vault's place, as a `restore` does. What does not open is kept in its quarantine.
    package func salvage(
        from path: String, with outcome: UnlockOutcome, to target: String? = nil, at now: Timestamp,
        _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> SalvageReport {
        guard case .directory(let home) = location else { throw .failed(code: ENOTSUP) }
        guard outcome.opened != nil else { throw .wrongSecret(retryAfterMilliseconds: 0) }
        let directory = VaultDirectory(path: home)
        let isHeld = hold.lock != nil
        if !isHeld { try claim(directory, replacing: true) }
        defer {
            directory.removeBench()
            if !isHeld, !hold.isThere { release() }
        }
        directory.removeBench()
        let bench = VaultDirectory(path: directory.bench)
        try bench.make()
        try Self.copyRows(of: path, to: bench.database, in: bench, progress)
        // What was not in the file yet of its record of releases.
        let log = path == directory.database ? directory.releaseLog : VaultDirectory.releaseLog(of: path)
        if access(log, F_OK) == 0 {
            try VaultDirectory.makeEmptyFile(bench.releaseLog)
            try Self.copyFile(log, to: bench.releaseLog, progress)
        }
        let vault = try Vault(at: .directory(bench.path), program: hold.program, entropy: entropy, limits: limits)
        defer { vault.close(at: now) }
        _ = try vault.unlock(with: outcome, at: now)
        let mended = try vault.repair(at: now, takesOlder: true, progress)
        guard mended.after.isSound else { throw .backupDamaged }
        // That it stands alone is no fault, and that look-ups are not taken over neither.
        let findings = mended.findings.filter { $0 != .unmarked && !$0.isOfLookups }
        let quarantined = try vault.quarantined().count
        if let target {
            _ = try vault.backup(to: target, at: now, progress)
            return SalvageReport(
                records: mended.after.records, findings: findings, quarantined: quarantined, replaced: nil)
        }
        vault.close(at: now)
        let restored = try restore(from: bench.database, with: outcome, at: now, progress)
        return SalvageReport(
            records: restored.records, findings: findings, quarantined: quarantined, replaced: restored.replaced)
    }
}

extension VaultDirectory {
    /// Where a salvage puts a vault together.
    var bench: String { path + "/salvage" }

    /// Removes what a salvage has made, or a killed one has left.
    func removeBench() {
        for folder in [bench + "/backups", bench + "/replaced", bench] {
            for name in Self.names(in: folder) { unlink(folder + "/" + name) }
            rmdir(folder)
        }
    }
}

extension DatabasePages {
    /// The slots, in the order of their ids.
    func slots() throws(VaultError) -> [SlotRow] {
        var slots: [Slot.ID: SlotRow] = [:]
        try eachRow { row throws(VaultError) in
            guard RowShape.table(of: row) == "slot", let slot = SlotRow(row) else { return }
            slots[slot.id] = slot
        }
        return slots.values.sorted { $0.id < $1.id }
    }
}

extension SlotRow {
    /// A slot that was found on a page; nil where the columns are not a slot's.
    fileprivate init?(_ row: PageRow) {
        func bytes(_ index: Int) -> [UInt8] { if case .bytes(let bytes) = row.values[index] { bytes } else { [] } }
        guard row.values.count == 8, case .integer(let kind) = row.values[1], let kind = UInt8(exactly: kind) else {
            return nil
        }
        id = row.key
        self.kind = kind
        (salt, cost, wrapped) = (bytes(2), bytes(3), bytes(4))
        (checksum, note, failures) = (bytes(5), bytes(6), bytes(7))
    }
}

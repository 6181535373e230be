// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// What an unlock found.
package struct UnlockReport: Sendable {
    package let slot: Slot.ID
    /// What does not fit the manifest; empty in a sound vault. The rest is readable.
    package let findings: [VaultFinding]
}

extension Vault {
    /// Prepares an attempt to open one slot, or all that this kind of secret may open. The derivation is the caller's to run
    /// elsewhere; at most one at a time, as only its outcome counts as a failure.
    package func attempt(
        _ secret: VaultSecret, slot: Slot.ID? = nil, from place: GuessPlace = .request, at now: Timestamp
    ) throws(VaultError) -> UnlockAttempt {
        try secret.checkForm()
        if unlockedParts == nil, let database = hold.database, database.isReplaced { try reopen() }
        let rows = try slotRows().filter { $0.kind == secret.kind.rawValue && (slot == nil || $0.id == slot) }
        guard !rows.isEmpty else { throw .noSuchSlot }
        let wait = rows.map { delays.wait(for: $0, from: place, at: now) }.max() ?? 0
        guard wait <= 0 else { throw .tooSoon(retryAfterMilliseconds: Int(wait)) }
        return UnlockAttempt(secret: secret, slots: rows, place: place)
    }

    /// Unlocks with what an attempt came to. Unlocked already, it only verifies.
    package func unlock(with outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> UnlockReport {
        try whileOpen { _ throws(VaultError) in
            let opened = try accept(outcome, at: now)
            guard unlockedParts == nil else {
                _ = try verify(opened)
                return UnlockReport(slot: opened.slot.id, findings: [])
            }
            let keys = VaultKeys(vaultKey: opened.vaultKey, format: try database.format)
            hold.purgeClock = hold.purgeClock ?? PurgeClock(opened: now)
            return UnlockReport(slot: opened.slot.id, findings: try unlock(keys))
        }
    }

    /// Proof, for what needs one: that the outcome opened a slot of this vault as it is now.
    package func verify(_ outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> Slot.ID {
        _ = try unlocked
        return try verify(accept(outcome, at: now))
    }

    /// Takes the keys out of memory, after writing back what is pending, and closes the file.
    package func lock(at now: Timestamp) {
        guard let unlockedParts else { return }
        // What cannot be written now stays in the release log, and is taken over by the next unlock.
        do throws(VaultError) { try syncReleases(at: nil, uses: .max) } catch { unlockedParts.releases.synchronize() }
        self.unlockedParts = nil
        StackResidue.wipe()
        rest()
    }

    /// Puts the keys to use, and compares a vault of moderate size with its manifest. `file` is the file of releases, where it
    /// is open already: then nothing here needs room on the disk.
    func unlock(_ keys: VaultKeys, with file: ReleaseFile? = nil) throws(VaultError) -> [VaultFinding] {
        let database = try database
        let findings = try database.read { (statements) throws(VaultError) -> [VaultFinding] in
            var findings: [VaultFinding] = []
            var manifest: Manifest?
            do throws(VaultError) {
                manifest = try Manifest(reading: statements, key: keys.manifest)
            } catch { findings.append(VaultFinding(error)) }
            var file = file
            if file == nil, let directory = database.directory { file = try ReleaseFile(at: directory.releaseLog) }
            var doubt: DistrustedVault?
            if let found = manifest { doubt = distrust(found, file, keys) }
            if let doubt {
                findings.append(doubt.finding)
                manifest = nil
            }
            let head =
                if let manifest { manifest.root.releases } else { try Self.releaseHead(statements, key: keys.releases) }
            let releases = ReleaseJournal(head: head, file: file, key: keys.releases)
            let parts = UnlockedVault(keys: keys, manifest: manifest, releases: releases)
            parts.distrust = doubt
            // Those that follow on what an older vault does not have.
            let strays = manifest == nil ? file?.releases(from: releases.end.next, key: keys.releases) : nil
            for release in strays ?? [] { try releases.append(release, key: keys.releases, using: &entropy) }
            do throws(VaultError) {
                releases.storedBytes = try Self.releaseBytes(statements)
                findings += try compareAtUnlock(parts, statements)
            } catch { findings.append(VaultFinding(error)) }
            unlockedParts = parts
            return findings
        }
        if let unlockedParts { beginMarks(unlockedParts) }
        return findings
    }

    private func compareAtUnlock(
        _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [VaultFinding] {
        guard let root = parts.manifest?.root else { return [] }
        let slots = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        var findings: [VaultFinding] = []
        if SlotRow.digest(slots) == root.slots { parts.slots = slots } else { findings = Self.findings(in: slots) }
        guard root.tallies.reduce(0, &+) <= UInt64(clamping: limits.comparedAtUnlock) else { return findings }
        findings += compareAll(parts, statements)
        parts.reads.compared.isAll = findings.isEmpty
        return findings
    }

    private static func releaseBytes(_ statements: VaultStatements) throws(VaultError) -> Int {
        let sum = try statements.releases.bytes.first { row throws(VaultError) in row.integer(0) }
        return Int(sum ?? 0)
    }

    /// What is wrong with slots whose digest is not the manifest's.
    static func findings(in slots: [SlotRow]) -> [VaultFinding] {
        let altered = slots.filter { !$0.isSound }.map { VaultFinding.slotAltered($0.id) }
        return altered.isEmpty ? [.slotsChanged] : altered
    }

    private func reopen() throws(VaultError) {
        guard case .directory(let path) = location else { return }
        hold.closeDatabase()
        hold.replacements += 1
        let directory = VaultDirectory(path: path)
        guard try directory.hasVault() else { throw .missing }
        try open(directory)
    }

    // MARK: - Outcomes

    /// The slot that was opened, if it is still the same; else counts the failure and throws.
    private func accept(_ outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> UnlockOutcome.Opened {
        let rows = try slotRows()
        guard let opened = outcome.opened else { throw try refuse(outcome, rows, at: now) }
        guard let row = rows.first(where: { $0.id == opened.slot.id }), row.wrapped == opened.slot.wrapped else {
            throw .noSuchSlot
        }
        // A disk that cannot be written to keeps the count of failures; what they cost is over all the same.
        delays.end(row.id)
        if row.failureCount != 0 { try? setFailures(0, of: row.id) }
        return opened
    }

    private func refuse(
        _ outcome: UnlockOutcome, _ rows: [SlotRow], at now: Timestamp
    ) throws(VaultError) -> VaultError {
        var delay: Int64 = 0
        for row in rows where outcome.tried.contains(row.id) {
            let failures = min(row.failureCount ?? 0, .max - 1) + 1
            delay = max(delay, delays.begin(row.id, from: outcome.place, after: failures, at: now))
            // On a full or read-only disk the delay still holds while the daemon runs.
            try? setFailures(failures, of: row.id)
        }
        return outcome.fault ?? .wrongSecret(retryAfterMilliseconds: Int(delay))
    }

    private func setFailures(_ count: UInt8, of id: Slot.ID) throws(VaultError) {
        try database.write { statements throws(VaultError) in
            try statements.slots.putFailures.run(.integer(id), .bytes(SlotRow.failures(count, slot: id)))
        }
    }

    private func verify(_ opened: UnlockOutcome.Opened) throws(VaultError) -> Slot.ID {
        guard try unlocked.keys.vaultKey.equals(opened.vaultKey) else { throw .noSuchSlot }
        return opened.slot.id
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// The result of an unlock.
package struct UnlockReport: Sendable {
    package let slot: Slot.ID
    /// What does not match the manifest; empty in an intact vault. The rest is readable.
    package let findings: [VaultFinding]
}

extension Vault {
    /// Unlocks with the outcome of an attempt. Where the vault is unlocked already, only verifies it.
    package func unlock(with outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> UnlockReport {
        try file.whileOpen { database throws(VaultError) in
            let opened = try slots.accept(outcome, at: now)
            guard store.unlockedVault == nil else {
                return UnlockReport(slot: try slots.verify(opened), findings: [])
            }
            let keys = VaultKeys(vaultKey: opened.vaultKey, format: database.format)
            if store.purgeClock?.replacements != file.replacements {
                store.purgeClock = PurgeClock(opened: now, replacements: file.replacements)
                store.migrationFailure = nil
            }
            let findings = try unlock(keys)
            if keys.format == .present { backups.keepThoseBeforeMigration() }
            return UnlockReport(slot: opened.slot.id, findings: findings)
        }
    }

    /// Removes the keys from memory, after writing what is pending, and closes the file.
    package func lock() {
        guard let unlocked = store.unlockedVault else { return }
        // What cannot be written now stays in the release file, and is read at the next unlock.
        do throws(VaultError) { try releases.sync(at: nil, uses: .max) } catch { unlocked.releases.synchronize() }
        store.unlockedVault = nil
        StackResidue.wipe()
        file.rest()
    }

    /// Unlocks with the keys, and compares a vault of moderate size with its manifest.
    ///
    /// - Parameter releaseFile: where it is open already: then nothing here needs space on the disk.
    func unlock(_ keys: VaultKeys, with releaseFile: ReleaseFile? = nil) throws(VaultError) -> [VaultFinding] {
        let database = try file.openDatabase
        let statements = try database.statements
        var findings: [VaultFinding] = []
        var manifest: Manifest?
        do throws(VaultError) {
            manifest = try Manifest(reading: statements, key: keys.manifest)
        } catch { findings.append(VaultFinding(error)) }
        var releaseFile = releaseFile
        if releaseFile == nil, let directory = database.directory {
            releaseFile = try ReleaseFile(at: directory.releaseLog)
        }
        let distrust = manifest.flatMap { store.distrust($0, releaseFile, keys) }
        if let distrust {
            findings.append(distrust.finding)
            manifest = nil
        }
        let head =
            if let manifest { manifest.root.releases } else {
                try ReleaseHead(reading: statements, key: keys.releases)
            }
        // Where only the mark is missing, the entries are recognised all the same.
        let root = manifest?.root ?? (distrust?.finding == .unmarked ? distrust?.root : nil)
        let generation = keys.format > .first ? root?.generation : nil
        let journal = ReleaseJournal(head: head, generation: generation, file: releaseFile, key: keys.releases)
        findings += journal.findings
        let unlocked = UnlockedVault(keys: keys, manifest: manifest, releases: journal)
        unlocked.distrust = distrust
        // Those that continue a record which an older vault does not have.
        let strays = manifest == nil ? releaseFile?.releases(from: journal.end.next, key: keys.releases) : nil
        for release in strays ?? [] {
            try journal.append(
                release, generation: unlocked.generation, key: keys.releases, using: &store.entropy)
        }
        do throws(VaultError) {
            let first = try statements.releases.oldest.first(.integer(.min)) { row in row.integer(0) }
            if first == nil { journal.storedBytes = 0 }
            findings += try compare(RecordView(store: store, unlocked: unlocked, statements: statements))
        } catch { findings.append(VaultFinding(error)) }
        store.unlockedVault = unlocked
        store.beginMarks(unlocked)
        store.beginSync()
        return findings
    }

    private func compare(_ records: RecordView) throws(VaultError) -> [VaultFinding] {
        let unlocked = records.unlocked
        guard let root = unlocked.manifest?.root else { return [] }
        let slots = try records.statements.slotRows()
        var findings: [VaultFinding] = []
        if SlotRow.digest(slots) == root.slots { unlocked.slots = slots } else { findings = VaultFinding.of(slots) }
        guard root.tallies.reduce(0, &+) <= UInt64(clamping: limits.comparedAtUnlock) else { return findings }
        findings += records.compareAll()
        unlocked.compared.isAll = findings.isEmpty
        return findings
    }
}

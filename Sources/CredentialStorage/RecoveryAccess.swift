// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SecretMemory
package import VaultFormat

extension Vault {
    /// For `VaultRecovery` alone: what it can do is declared in a module that the service does not import.
    package var recovery: any RecoverableVault { RecoveryAccess(vault: self) }
}

/// A vault as `VaultRecovery` reads and changes it.
struct RecoveryAccess: RecoverableVault {
    let vault: Vault
    private var store: RecordStore { vault.store }

    var file: VaultFile { vault.file }

    var entropy: any RandomNumberGenerator {
        get { store.entropy }
        nonmutating set { store.entropy = newValue }
    }

    var unlocked: UnlockedState { get throws(VaultError) { try store.unlocked.state } }

    var releaseFile: ReleaseFile? { store.unlockedVault?.releases.file }

    func lastMark(of vaultID: SealTag?) -> VaultMark? {
        store.unlockedVault.flatMap { store.lastMark(of: vaultID, releaseFile, $0.keys) }
    }

    // MARK: - Repair

    func adopt(_ slots: [SlotRow], _ manifest: Manifest, _ progress: VaultProgress) -> CheckReport? {
        guard let unlocked = store.unlockedVault else { return nil }
        (unlocked.slots, unlocked.manifest, unlocked.distrust) = (slots, manifest, nil)
        // Entries that were still waiting are sealed to the end of the old chain: link them to the new one.
        try? unlocked.relinkReleases(using: &store.entropy)
        forget(unlocked)
        store.beginMarks(unlocked)
        store.beginSync()
        let report = try? vault.check(progress)
        unlocked.compared.isAll = report?.isIntact ?? false
        return report
    }

    func forgetCompared() {
        guard let unlocked = store.unlockedVault else { return }
        forget(unlocked)
        store.beginSync()
    }

    /// Forgets what was read of the rows.
    private func forget(_ unlocked: UnlockedVault) {
        unlocked.releases.forgetRows()
        unlocked.compared = ComparedBuckets()
        unlocked.orders = CredentialOrders(uses: unlocked.orders.uses)
        // What is stored of sync may be older, or in part.
        store.sync = nil
    }

    func insert(
        _ body: (VaultStatements) throws(VaultError) -> (any VaultRecord)?
    ) throws(VaultError) -> ObjectID? {
        try store.write { transaction throws(VaultError) in
            guard let record = try body(transaction.statements) else { return nil }
            try transaction.restore(record)
            return record.id
        }
    }

    // MARK: - Replacing the file

    func syncReleases() throws(VaultError) { try vault.releases.sync(at: nil, uses: .max) }

    func prepare(
        _ draft: VaultDatabase, vaultKey: SecretBytes, records: Int, _ progress: VaultProgress
    ) throws(VaultError) {
        let new = VaultKeys(vaultKey: vaultKey)
        if draft.format < .present {
            let keys = VaultKeys(vaultKey: vaultKey, format: draft.format)
            let root = try Manifest(reading: draft.statements, key: keys.manifest).root
            try store.migrate(draft, root, from: keys, to: new, of: records, progress)
        }
        var file = releaseFile
        if file == nil, let path = self.file.directory?.releaseLog, access(path, F_OK) == 0 {
            file = try? ReleaseFile(at: path)
        }
        try store.unmark(draft, new, file)
    }

    func endUse() {
        vault.lock()
        // The new one has its own.
        store.purgeClock = nil
        store.migrationFailure = nil
        file.replacements += 1
        vault.slots.delays.forgetAll()
    }

    func unlock(vaultKey: SecretBytes, with releaseFile: ReleaseFile?) {
        guard let format = file.database?.format else { return }
        _ = try? vault.unlock(VaultKeys(vaultKey: vaultKey, format: format), with: releaseFile)
    }

    func release() { vault.release() }
}

extension RecordTransaction {
    /// Inserts a record that was taken out of use. Throws `alreadySaved` where the vault has it, or another that replaced it.
    fileprivate mutating func restore<Record: VaultRecord>(_ record: Record) throws(VaultError) {
        let same: Record? = try records.fetch(record.id)
        let named: Record? = try records.fetch(record.blindIndex(key: records.key))
        if let other = same ?? named { throw .alreadySaved(other.id) }
        if let credential = record as? Credential, let rival = try records.rival(of: credential) {
            throw .alreadySaved(rival)
        }
        isReturning = true
        defer { isReturning = false }
        try insert(record)
    }
}

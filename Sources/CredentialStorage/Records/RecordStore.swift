// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// The sealed rows of a vault with their index and manifest, read and written in transactions.
///
/// Lives as long as the vault; `unlockedVault` has what exists only while the vault is unlocked.
final class RecordStore {
    let file: VaultFile
    var limits: VaultLimits
    var entropy: any RandomNumberGenerator
    var unlockedVault: UnlockedVault? {
        didSet {
            file.isInUse = unlockedVault != nil
            if unlockedVault == nil { sync = nil }
        }
    }
    /// nil where the vault is locked, or sync was not started.
    var sync: VaultSync?
    /// The last change of the vault that this process has recorded, locked or not.
    var mark: VaultMark?
    /// nil before the vault was first unlocked.
    var purgeClock: PurgeClock?
    /// Why the last migration of a vault of an older format failed.
    var migrationFailure: VaultError?

    init(_ file: VaultFile, limits: VaultLimits, entropy: some RandomNumberGenerator) {
        self.file = file
        self.limits = limits
        self.entropy = entropy
    }

    /// The keys and what follows from them, or the reason that there are none.
    var unlocked: UnlockedVault {
        get throws(VaultError) {
            if let unlockedVault { return unlockedVault }
            throw file.isThere ? .locked : .missing
        }
    }

    /// An id that was never given before.
    func newID(_ kind: ObjectID.Kind) -> ObjectID { ObjectID(kind: kind, high: entropy.next(), low: entropy.next()) }

    func newVaultKey() -> SecretBytes {
        SecretBytes(count: 32) { memory in
            for index in stride(from: 0, to: memory.count, by: 8) {
                memory.storeBytes(of: entropy.next() as UInt64, toByteOffset: index, as: UInt64.self)
            }
        }
    }

    /// How much is in the vault; nil unless it is unlocked. Opens nothing.
    var counts: VaultCounts? {
        guard let unlocked = unlockedVault, let root = unlocked.manifest?.root else { return nil }
        let head = root.releases
        let stored = root.format > .first ? head.count : head.next - head.first
        return VaultCounts(
            tallies: root.tallies, releases: Int(clamping: stored) + unlocked.releases.pendingCount)
    }

    /// Calls `body` with the records; the vault must be unlocked.
    func read<Result>(_ body: (RecordView) throws(VaultError) -> Result) throws(VaultError) -> Result {
        let unlocked = try unlocked
        return try body(RecordView(store: self, unlocked: unlocked, statements: file.openDatabase.statements))
    }

    /// Runs `body` in one durable transaction, and the change of the manifest with it. After an error nothing has changed, in the
    /// file and in memory. A vault of an older format is changed only where `inAnyFormat` is set. A transaction that is not durable
    /// is recorded as the last change by `finish(_: BackgroundSync)`, or with the next durable one.
    ///
    /// The release log is stored with it: what was recorded before the last commit is not in `vault.releases` alone.
    func write<Result>(
        inAnyFormat: Bool = false, isDurable: Bool = true, releases: ReleaseStoring = ReleaseStoring(),
        _ body: (inout RecordTransaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        if !inAnyFormat { try checkFormat(unlocked) }
        do throws(VaultError) { return try attemptToWrite(isDurable: isDurable, releases, body) } catch {
            // The log has every page as often as it was changed: writing it back may free space.
            if error == .storageFull, (try? file.openDatabase.emptyLog()) != nil {
                return try attemptToWrite(isDurable: isDurable, releases, body)
            }
            guard case .damaged = error, !releases.isNeeded else { throw error }
            let result = try attemptToWrite(isDurable: isDurable, nil, body)
            // What was not stored is recognised by its generation.
            try? unlocked.relinkReleases(using: &entropy)
            return result
        }
    }

    private func attemptToWrite<Result>(
        isDurable: Bool, stampsLater: Bool = false, _ releases: ReleaseStoring?,
        _ body: (inout RecordTransaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let unlocked = try unlocked
        let before = try unlocked.trustedManifest
        var syncBefore = sync
        var freed: Int?
        var unstamped: [ObjectID] = []
        var failedStamps = false
        do throws(VaultError) {
            var changes = VaultChanges()
            let result = try file.openDatabase.write(isDurable: isDurable) { statements throws(VaultError) in
                var transaction = RecordTransaction(
                    records: RecordView(store: self, unlocked: unlocked, statements: statements))
                let result = try body(&transaction)
                failedStamps = !stampsLater && transaction.removedCredentials.isEmpty
                try SyncTransaction.stampAtOnce(&transaction, isDeferred: stampsLater)
                failedStamps = false
                freed = try releases?.run(&transaction)
                (changes, unstamped) = (transaction.changes, transaction.unstamped)
                try unlocked.manifest?.apply(changes, statements, key: unlocked.keys.manifest, using: &entropy)
                return result
            }
            if isDurable { noteChange(unlocked) }
            if let freed { unlocked.releases.stored(freed: freed) }
            for credential in changes.credentials {
                unlocked.orders.note(credential, in: credential.lists(key: unlocked.keys.index))
            }
            if changes.bulkCredentials > 0 {
                let (uses, written) = (unlocked.orders.uses, unlocked.orders.counts.written)
                unlocked.orders = CredentialOrders(uses: uses)
                unlocked.orders.counts.written = written + changes.bulkCredentials
            }
            unlocked.orders.counts.written += changes.credentials.count
            if let slots = changes.slots { unlocked.slots = slots }
            // A second reference would have the set copied.
            syncBefore = nil
            for id in unstamped { sync?.noted.unstamped.insert(id) }
            return result
        } catch {
            unlocked.manifest = before
            sync = syncBefore
            guard failedStamps else { throw error }
            // The save is worth more than its stamps, which find no space, or what is damaged of sync.
            return try attemptToWrite(isDurable: isDurable, stampsLater: true, releases, body)
        }
    }

    /// Throws the reason that changes are refused, where the vault is of an older format.
    func checkFormat(_ unlocked: UnlockedVault) throws(VaultError) {
        guard unlocked.keys.format < .present else { return }
        throw migrationFailure ?? .rekeying
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Stores the entries that are not in the database yet as a row, with what else a transaction changes.
struct ReleaseStoring {
    /// Entries from before it are dropped; nil where none is dropped for its age.
    var horizon: Timestamp?
    /// Else the transaction is made without it where the stored log is damaged.
    var isNeeded = false

    /// - Returns: how many bytes of the log were dropped; nil where nothing was to be stored.
    func run(_ transaction: inout RecordTransaction) throws(VaultError) -> Int? {
        let journal = transaction.unlocked.releases
        guard !journal.pending.isEmpty else { return nil }
        var cutting = ReleaseCutting(transaction.records)
        cutting.addPending()
        try cutting.cut(journal.storedBytes.map { $0 + journal.pending.count }, before: horizon)
        transaction.changes.releases = cutting.head
        // After the cut, whose pages it reuses: they are written once.
        try journal.insert(into: transaction.statements)
        return cutting.freed
    }
}

extension ReleaseJournal {
    func insert(into statements: VaultStatements) throws(VaultError) {
        guard !pending.isEmpty else { return }
        try statements.releases.insert.run(.integer(Int64(bitPattern: pendingFirst)), .bytes(pending))
    }

    /// The entries are in the database, and so many bytes of others are not any more.
    func stored(freed: Int) {
        drained()
        storedBytes? -= freed
    }
}

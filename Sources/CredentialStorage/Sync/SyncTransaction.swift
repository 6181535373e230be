// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// A transaction in which sync writes: what it does to credentials has its stamps already.
struct SyncTransaction {
    var transaction: RecordTransaction
    let sync: VaultSync

    var records: RecordView { transaction.records }

    init(_ transaction: RecordTransaction, _ sync: VaultSync) {
        self.transaction = transaction
        self.transaction.isMerging = true
        self.sync = sync
    }
}

/// What a transaction did to one credential; nil: there was, or is, none.
struct CredentialChange {
    let old: Credential?
    let new: Credential?
    /// Whether the id was drawn in this transaction: there is no entry of it.
    var isNewID = false

    var time: Timestamp {
        new.map { $0.deleted ?? $0.changed } ?? old?.changed ?? Timestamp(milliseconds: 0)
    }
}

/// Whether a transaction stores the stamps of what it changes.
enum StampStoring {
    case stored
    /// Only a note that everything is to be compared.
    case noted
    /// Not even that: it is in memory alone, until a later change stores it. A snapshot compares everything anyway.
    case omitted
}

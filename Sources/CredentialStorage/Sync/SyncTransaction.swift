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

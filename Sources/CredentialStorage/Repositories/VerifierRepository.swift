// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Finds verifiers.
package struct StoredVerifierReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package func get(_ id: ObjectID) throws(VaultError) -> Verifier? {
        try store.read { records throws(VaultError) in try records.fetch(id) }
    }

    package func get(accessGroup: String, service: String, account: String) throws(VaultError) -> Verifier? {
        try store.read { records throws(VaultError) in
            try records.fetch(
                Verifier.blindIndex(accessGroup: accessGroup, service: service, account: account, key: records.key))
        }
    }

    package func page(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Verifier, ObjectID> {
        try store.read { records throws(VaultError) in try records.list(after: cursor, limit: limit) }
    }
}

/// Changes verifiers.
package struct StoredVerifierWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Keeps a verifier. One for the same account is replaced: its id stays, its version grows.
    package func put(_ verifier: Verifier, ifVersion version: UInt64? = nil) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            let index = verifier.blindIndex(key: transaction.records.key)
            guard let old: Verifier = try transaction.records.fetch(index) else {
                try transaction.check(version, against: 0)
                try transaction.insert(verifier)
                return Saved(verifier, isNew: true)
            }
            try transaction.check(version, against: old.version)
            let new = Verifier(
                id: old.id, version: old.version + 1, accessGroup: old.accessGroup, service: old.service,
                account: old.account, hash: verifier.hash, failures: verifier.failures, notBefore: verifier.notBefore,
                created: old.created, changed: verifier.changed, writer: verifier.writer)
            try transaction.replace(old, with: new)
            return Saved(new, isNew: false)
        }
    }

    /// Removes a verifier.
    ///
    /// - Returns: false where there was none.
    package func delete(_ id: ObjectID) throws(VaultError) -> Bool {
        try store.write { transaction throws(VaultError) in
            guard let old: Verifier = try transaction.records.fetch(id) else { return false }
            try transaction.remove(old)
            return true
        }
    }
}

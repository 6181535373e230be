// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Finds the user's grants and denials.
package struct StoredGrantReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package func get(_ id: ObjectID) throws(VaultError) -> Grant? {
        try store.read { records throws(VaultError) in try records.fetch(id) }
    }

    /// All of an app and a service.
    package func all(app: String, service: Service) throws(VaultError) -> [Grant] {
        try store.read { records throws(VaultError) in
            try records.fetchAll(in: Grant.scope(app: app, service: service, key: records.key))
        }
    }

    package func page(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Grant, ObjectID> {
        try store.read { records throws(VaultError) in try records.list(after: cursor, limit: limit) }
    }
}

/// Changes the user's grants and denials.
package struct StoredGrantWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Keeps the user's decision. One for the same subject and service is replaced: its id stays, its version grows.
    package func put(_ grant: Grant) throws(VaultError) -> Grant {
        try store.write { transaction throws(VaultError) in
            guard let old: Grant = try transaction.records.fetch(grant.blindIndex(key: transaction.records.key)) else {
                try transaction.insert(grant)
                return grant
            }
            let new = Grant(
                id: old.id, version: old.version + 1, subject: grant.subject, service: grant.service,
                decision: grant.decision, created: grant.created, origin: grant.origin)
            try transaction.replace(old, with: new)
            return new
        }
    }

    /// Revokes a decision.
    ///
    /// - Returns: false where there was none.
    package func revoke(_ id: ObjectID) throws(VaultError) -> Bool {
        try store.write { transaction throws(VaultError) in
            guard let old: Grant = try transaction.records.fetch(id) else { return false }
            try transaction.remove(old)
            return true
        }
    }
}

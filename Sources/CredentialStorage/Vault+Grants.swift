// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Vault {
    /// Keeps the person's word. One for the same subject and service is replaced: its id stays, its version grows.
    package func put(_ grant: Grant) throws(VaultError) -> Grant {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Grant = try fetch(grant.blindIndex(key: parts.keys.index), parts, statements) else {
                try insert(grant, parts, statements, &changes)
                return grant
            }
            let new = Grant(
                id: old.id, version: old.version + 1, subject: grant.subject, service: grant.service,
                decision: grant.decision, created: grant.created, origin: grant.origin)
            try replace(old, with: new, parts, statements, &changes)
            return new
        }
    }

    /// All words about an app and a service.
    package func grants(app: String, service: Service) throws(VaultError) -> [Grant] {
        try read { parts, statements throws(VaultError) in
            try fetchAll(in: Grant.scope(app: app, service: service, key: parts.keys.index), parts, statements)
        }
    }

    package func grant(_ id: ObjectID) throws(VaultError) -> Grant? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    package func grants(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Grant, ObjectID> {
        try list(after: cursor, limit: limit)
    }

    /// Takes a word back.
    ///
    /// - Returns: false where there was none.
    package func revoke(_ id: ObjectID) throws(VaultError) -> Bool {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Grant = try fetch(id, parts, statements) else { return false }
            try remove(old, statements, &changes)
            return true
        }
    }
}

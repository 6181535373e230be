// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Vault {
    package func verifier(accessGroup: String, service: String, account: String) throws(VaultError) -> Verifier? {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            return try fetch(
                Verifier.blindIndex(accessGroup: accessGroup, service: service, account: account, key: key), parts,
                statements)
        }
    }

    package func verifier(_ id: ObjectID) throws(VaultError) -> Verifier? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    package func verifiers(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Verifier, ObjectID> {
        try list(after: cursor, limit: limit)
    }

    /// Keeps a verifier. One for the same account is replaced: its id stays, its version grows.
    package func put(_ verifier: Verifier, ifVersion version: UInt64? = nil) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Verifier = try fetch(verifier.blindIndex(key: parts.keys.index), parts, statements) else {
                try check(version, against: 0)
                try insert(verifier, parts, statements, &changes)
                return Saved(id: verifier.id, version: verifier.version, isNew: true, changed: true)
            }
            try check(version, against: old.version)
            let new = Verifier(
                id: old.id, version: old.version + 1, accessGroup: old.accessGroup, service: old.service,
                account: old.account, hash: verifier.hash, failures: verifier.failures, notBefore: verifier.notBefore,
                created: old.created, changed: verifier.changed, writer: verifier.writer)
            try replace(old, with: new, parts, statements, &changes)
            return Saved(id: new.id, version: new.version, isNew: false, changed: true)
        }
    }

    /// Removes a verifier.
    ///
    /// - Returns: false where there was none.
    package func deleteVerifier(_ id: ObjectID) throws(VaultError) -> Bool {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Verifier = try fetch(id, parts, statements) else { return false }
            try remove(old, statements, &changes)
            return true
        }
    }
}

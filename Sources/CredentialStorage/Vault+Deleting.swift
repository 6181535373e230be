// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Vault {
    /// Deletes a credential; it can be got back for a time (`VaultLimits.recoverableMilliseconds`).
    package func delete(
        _ id: ObjectID, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Credential = try fetch(id, parts, statements) else { throw .notFound(id) }
            guard old.deleted == nil else { return Saved(id: id, version: old.version, isNew: false, changed: false) }
            try check(version, against: old.version)
            var new = old
            new.deleted = now
            return try replace(old, with: new, at: now, parts, statements, &changes)
        }
    }

    /// Gets a deleted credential back. Throws `alreadySaved` where another has taken its place.
    package func undelete(_ id: ObjectID, at now: Timestamp) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Credential = try fetch(id, parts, statements) else { throw .notFound(id) }
            guard old.deleted != nil else { return Saved(id: id, version: old.version, isNew: false, changed: false) }
            var new = old
            new.deleted = nil
            let taken: Credential? = try fetch(new.blindIndex(key: parts.keys.index), parts, statements)
            if let taken { throw .alreadySaved(taken.id) }
            return try replace(old, with: new, at: now, parts, statements, &changes)
        }
    }

    /// The deleted credentials that can be got back, in the order of their ids.
    package func deletedCredentials(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        let all = try read { parts, statements throws(VaultError) in
            let scope = Credential.deletedScope(key: parts.keys.index)
            return try fetchAll(in: scope, parts, statements, as: Credential.self)
        }
        let rest = all.map { CredentialSummary($0) }
            .filter { summary in cursor.map { $0 < summary.id } ?? true }
            .sorted { $0.id < $1.id }
        let page = Array(rest.prefix(limit))
        return VaultPage(elements: page, next: rest.count > limit ? page.last?.id : nil)
    }

    /// Marks the offers whose time has run out, and removes for good what was deleted or settled longer ago than it is
    /// recoverable. For once a day.
    ///
    /// - Returns: how many records were removed.
    package func purge(at now: Timestamp) throws(VaultError) -> Int {
        try expireOffers(at: now)
        let horizon = now.advanced(byMilliseconds: -limits.recoverableMilliseconds)
        return try write { parts, statements, changes throws(VaultError) in
            let key = parts.keys.index
            let credentials = try fetchAll(
                in: Credential.deletedScope(key: key), parts, statements, as: Credential.self
            ).filter { $0.deleted.map { $0 <= horizon } ?? false }
            for credential in credentials { try remove(credential, statements, &changes) }
            let offers = try fetchAll(in: Offer.settledScope(key: key), parts, statements, as: Offer.self)
                .filter { $0.settled.map { $0 <= horizon } ?? false }
            for offer in offers { try remove(offer, statements, &changes) }
            return credentials.count + offers.count
        }
    }
}

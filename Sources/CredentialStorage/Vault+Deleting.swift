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
            if let rival = try rival(of: new, parts, statements) { throw .alreadySaved(rival) }
            return try replace(old, with: new, at: now, parts, statements, &changes)
        }
    }

    /// The deleted credentials that can be got back, in an order of their own, which stays.
    package func deletedCredentials(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            let range = BlindIndex.range(of: Credential.deletedScope(key: key))
            // A look-up is in the order of the index; by id all of them would have to be gone through for each page.
            let first = cursor.map { Credential.deletedIndex(of: $0, key: key).bytes } ?? range.first
            let full = pageEnd(parts)
            var (found, last): ([CredentialSummary], ObjectID?) = ([], nil)
            var hasMore = false
            try statements.records.inScopeAfter.each([.bytes(first), .bytes(range.last)]) { row throws(VaultError) in
                hasMore = found.count >= limit || last != nil && parts.reads.opened.bytes >= full
                guard !hasMore else { return false }
                last = ObjectID(stored: row.bytes(0)) ?? last
                let credential: Credential? = try sound { () throws(VaultError) in
                    try record(row, parts, statements)
                }
                if let credential { found.append(CredentialSummary(credential)) }
                return true
            }
            return VaultPage(elements: found, next: hasMore ? last : nil)
        }
    }

    /// Marks the offers whose time has run out, and removes for good what was deleted or settled longer ago than it is
    /// recoverable. For once a day. `now` is of a steady clock: see `PurgeClock`.
    ///
    /// - Returns: how many records were removed.
    package func purge(at now: Timestamp) throws(VaultError) -> Int {
        try expireOffers(at: now)
        try dropSettledOffers()
        let time = try purgeTime(at: now)
        try keep(purgeTime: time, at: now)
        let horizon = time.advanced(byMilliseconds: -limits.recoverableMilliseconds)
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

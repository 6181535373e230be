// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Finds credentials. One is found by each of its services.
package struct StoredCredentialReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// The credential of this id, or that as which it appears since a merge; deleted or not.
    package func get(_ id: ObjectID) throws(VaultError) -> Credential? {
        try store.read { records throws(VaultError) in try records.credential(id) }
    }

    /// The password of a user, whose name is looked up by the UTF-8 of its NFC form.
    package func get(for service: Service, user: String) throws(VaultError) -> Credential? {
        try find(for: service, user: user)?.record
    }

    /// The same, which is passed on without being copied.
    package func find(for service: Service, user: String) throws(VaultError) -> FoundRecord<Credential>? {
        try store.read { records throws(VaultError) in try records.findPassword(for: service, user: user) }
    }

    /// The password of a user among those that may be filled at a site, the last used first. Opens no others, except those whose
    /// names have the same hash.
    package func get(
        underSite site: String, asking service: Service, user: String
    ) throws(VaultError) -> Credential? {
        try store.read { records throws(VaultError) in
            let hash = CredentialOrders.Entry.hash(of: user)
            for entry in try records.entries(underSite: site, asking: service)
            where entry.kind == .password && entry.user == hash {
                let found: Credential? = try records.fetchIntact(entry.id)
                if let found, Canonical.utf8(found.user) == Canonical.utf8(user) { return found }
            }
            return nil
        }
    }

    /// Up to `limit` of a service's credentials that are wanted, by id and version, after a position; fewer where these are more
    /// bytes than a turn may open. Opens no others.
    ///
    /// - Parameter kind: nil for all.
    package func page(
        for service: Service, kind: Credential.Kind? = nil, after position: CredentialPosition?, limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        try store.read { records throws(VaultError) in
            try records.page(of: records.entries(for: service), kind, after: position, limit, isWanted)
        }
    }

    /// The passwords that may be filled at a site, in pages like those of a service: what is saved for `service` itself, and
    /// what one of whose services is a domain or an https origin at or under the site, unless it matches exactly only.
    ///
    /// - Parameter site: the registrable domain of `service`, in the canonical form of a domain.
    package func page(
        underSite site: String, asking service: Service, after position: CredentialPosition?, limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        try store.read { records throws(VaultError) in
            let entries = try records.entries(underSite: site, asking: service)
            return try records.page(of: entries, .password, after: position, limit, isWanted)
        }
    }

    /// All that are not deleted, in the order of their ids.
    package func page(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        let page: VaultPage<Credential, ObjectID> = try store.read { records throws(VaultError) in
            try records.list(after: cursor, limit: limit) { $0.deleted == nil }
        }
        return VaultPage(elements: page.elements.map { CredentialSummary($0) }, next: page.next)
    }

    /// The passwords that are not deleted and that are wanted, with all that they have, in the order of their ids.
    package func whole(
        after cursor: ObjectID?, limit: Int, where isWanted: (Credential) -> Bool
    ) throws(VaultError) -> VaultPage<Credential, ObjectID> {
        try store.read { records throws(VaultError) in
            let page: VaultPage<Credential, ObjectID> = try records.list(after: cursor, limit: limit) {
                $0.deleted == nil && $0.kind == .password && isWanted($0)
            }
            let uses = records.unlocked.orders.uses
            let used = page.elements.map { credential in
                guard let use = uses[credential.id] else { return credential }
                var used = credential
                used.lastUsed = use
                return used
            }
            return VaultPage(elements: used, next: page.next)
        }
    }

    /// The deleted credentials that can be restored, in a fixed order of their own.
    package func deleted(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        try store.read { records throws(VaultError) in
            let range = BlindIndex.range(of: Credential.deletedScope(key: records.key))
            // The order is that of the index; by id all of them would have to be read for each page.
            let first = cursor.map { Credential.deletedIndex(of: $0, key: records.key).bytes } ?? range.first
            let full = records.pageEnd
            var (found, last): ([CredentialSummary], ObjectID?) = ([], nil)
            var hasMore = false
            try records.statements.records.inScopeAfter.each([.bytes(first), .bytes(range.last)]) {
                row throws(VaultError) in
                hasMore = found.count >= limit || last != nil && records.unlocked.opened.bytes >= full
                guard !hasMore else { return false }
                last = ObjectID(stored: row.bytes(0)) ?? last
                let credential: Credential? = try RecordView.intact { () throws(VaultError) in try records.record(row) }
                if let credential { found.append(CredentialSummary(credential)) }
                return true
            }
            return VaultPage(elements: found, next: hasMore ? last : nil)
        }
    }

    /// Whether fewer than `limit` credentials have this service as their first one. Opens none, and counts them seldom.
    package func hasFewer(than limit: Int, for service: Service) throws(VaultError) -> Bool {
        try store.read { records throws(VaultError) in
            let scope = Credential.scope(service: service, key: records.key)
            return try records.unlocked.orders.counts.has(fewerThan: limit, in: scope) { () throws(VaultError) in
                try records.count(in: scope)
            }
        }
    }
}

extension RecordView {
    /// The credential of an id; where that is an alias of another, the other.
    func credential(_ id: ObjectID) throws(VaultError) -> Credential? {
        if let found: Credential = try fetch(id) { return found }
        guard store.sync != nil, id.kind == .credential,
            let entry: StoredSyncEntry = try fetch(SyncSlice.entry(of: id)), let shown = entry.shown, shown != id
        else { return nil }
        return try fetch(shown)
    }

    /// The password of a user, by its first service or a further one.
    func password(for service: Service, user: String) throws(VaultError) -> Credential? {
        try findPassword(for: service, user: user)?.record
    }

    fileprivate func findPassword(
        for service: Service, user: String
    ) throws(VaultError) -> FoundRecord<Credential>? {
        let location = unlocked.orders.indexes.location(of: user, at: service, key: key)
        if let found = try password(at: location) { return found }
        let tag = Credential.further(service, user: user, key: key)
        for id in try ids(withAll: [tag], limit: 1).elements {
            // One that is damaged is not none.
            let found: Credential? = try fetch(id)
            if let found, found.deleted == nil, found.isFor(service), Canonical.utf8(found.user) == Canonical.utf8(user)
            {
                return FoundRecord(found)
            }
        }
        return nil
    }

    /// The password with this location's index, which was asked for last: by its row's number, where that row still has the index.
    private func password(at location: RecentIndexes.Location) throws(VaultError) -> FoundRecord<Credential>? {
        if let number = location.number {
            let same = try statements.records.byNumber.first(number: number) {
                row throws(VaultError) -> FoundRecord<Credential>? in
                try BlindIndex(row.bytes(1)) == location.index ? found(row) : nil
            }
            if let same = same ?? nil { return same }
        }
        return try statements.records.byLookup.first(key: location.index.bytes) { row throws(VaultError) in
            unlocked.orders.indexes.note(row.integer(4))
            return try found(row)
        }
    }

    /// Another password with one of the services and the user of this one; the two exclude each other.
    func rival(of credential: Credential) throws(VaultError) -> ObjectID? {
        guard credential.kind == .password, credential.deleted == nil else { return nil }
        for service in credential.services {
            let found = try password(for: service.service, user: credential.user)
            if let found, found.id != credential.id { return found.id }
        }
        return nil
    }

    /// The saved credential with one of the services and the user of an entry.
    func saved(like entry: Credential) throws(VaultError) -> Credential? {
        for service in entry.services {
            if let found = try password(for: service.service, user: entry.user) { return found }
        }
        return nil
    }

    fileprivate func entries(
        underSite site: String, asking service: Service
    ) throws(VaultError) -> [CredentialOrders.Entry] {
        let entries = try entries(underSite: site)
        let listed = Set(entries.map(\.id))
        let others = try self.entries(for: service).filter { !listed.contains($0.id) }
        return others.isEmpty ? entries : (entries + others).sorted { $0.position < $1.position }
    }

    fileprivate func page(
        of entries: [CredentialOrders.Entry], _ kind: Credential.Kind?, after position: CredentialPosition?,
        _ limit: Int, _ isWanted: (ObjectID, UInt64) -> Bool
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        let rest = entries.drop { entry in position.map { entry.position <= $0 } ?? false }
        let full = pageEnd
        var (found, last): ([CredentialSummary], CredentialPosition?) = ([], nil)
        for entry in rest where (kind == nil || entry.kind == kind) && isWanted(entry.id, entry.version) {
            guard found.count < limit, last == nil || unlocked.opened.bytes < full else {
                return VaultPage(elements: found, next: last)
            }
            last = entry.position
            if let credential: Credential = try fetchIntact(entry.id) {
                found.append(CredentialSummary(credential, lastUsed: unlocked.orders.uses[entry.id]))
            }
        }
        return VaultPage(elements: found, next: nil)
    }
}

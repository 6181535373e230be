// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncMerge
internal import VaultFormat

extension SyncTransaction {
    /// Writes the credentials that show what a merge changed, and stores the changed records. Each visible change raises the version:
    /// above all that the ids of the group have had, so that no condition on a version, and no connection's ownership, matches it.
    mutating func show(
        _ changes: MergeChanges, _ slice: inout SyncSlice, before: SyncState, at now: Timestamp
    ) throws(VaultError) -> [Saved] {
        var saved: [Saved] = []
        var versions: [ObjectID: UInt64] = [:]
        let counted = slice.state.ids.filter { id in
            slice.state.records[id]?.elements.contains { element in
                if case .code(let code?) = element.value { changes.counters.contains(code.nonce) } else { false }
            } ?? false
        }
        let ids = changes.records.union(counted)
        let concerned = ids.union(ids.flatMap { before.group(of: $0) }).union(ids.flatMap { slice.state.group(of: $0) })
        var done: Set<ObjectID> = []
        for id in concerned.sorted() where !done.contains(id) {
            let group = slice.state.group(of: id)
            done.formUnion(group)
            if group.isEmpty {
                if let row: Credential = try records.fetch(id) {
                    versions[id] = row.version
                    try transaction.remove(row)
                    saved.append(Saved(row, isNew: false))
                }
                continue
            }
            if let change = try show(group, slice, before: before, &versions, at: now) { saved.append(change) }
        }
        for id in changes.records.union(versions.keys).sorted() {
            try slice.write(id, publishedIn: nil, version: versions[id] ?? 0, &transaction, at: now)
        }
        for nonce in changes.counters.sorted() { try slice.write(nonce, publishedIn: nil, &transaction, at: now) }
        return saved
    }

    /// One group; nil where nothing changes that is seen.
    private mutating func show(
        _ group: [ObjectID], _ slice: SyncSlice, before: SyncState, _ versions: inout [ObjectID: UInt64],
        at now: Timestamp
    ) throws(VaultError) -> Saved? {
        guard let least = group.first, let view = slice.state.view(of: least) else { return nil }
        var rows: [Credential] = []
        for id in group { if let row: Credential = try records.fetch(id) { rows.append(row) } }
        let present = rows.first { $0.id == least }
        let shown = before.view(of: least)
        let isSame = shown?.isSame(as: view) == true && present != nil && rows.count == 1
        guard !isSame || shown?.counter != view.counter else { return nil }
        let greatest = group.map { slice.entries[$0]?.greatestVersion ?? 0 }.max() ?? 0
        let former = max(greatest, rows.map(\.version).max() ?? 0)
        let version = isSame ? former : records.store.version(after: former)
        let base = present ?? rows.first
        let deleted = records.store.sync?.noted.deletion
        let new = SyncedCredential.credential(view, in: slice.state, over: base, at: now, deletedAt: deleted) { mark in
            slice.writer(of: mark, in: group)
        }
        // Of a row whose version stays no greater one is stored: what is saved next would be taken for stamped.
        if !isSame { for id in group { versions[id] = version } }
        for row in rows where row.id != least || new == nil { try transaction.remove(row) }
        guard var new else { return rows.first.map { Saved($0, isNew: false) } }
        new.version = isSame ? present?.version ?? version : version
        if let present { try transaction.replace(present, with: new) } else { try transaction.insert(new) }
        return Saved(new, isNew: present == nil)
    }
}

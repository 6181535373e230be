// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

extension SyncWriter {
    /// Writes what a save has changed: the difference of what the vault had, nil for a new record, and what it has.
    package mutating func save(_ new: EarlierRecord, over old: EarlierRecord?) {
        let ids = group(of: new.id)
        // What is written to a deleted record would revive it, and join it with a living one that has its login by now.
        buries = new.isDeleted || old?.isDeleted == true
        defer { buries = false }
        // First: deleted at its former logins it would take the deleted records there with it, and restored there the living ones.
        if old.map({ isMoved(from: $0, to: new) }) ?? true { move(new.id, user: new.user, sites: new.sites) }
        buries = new.isDeleted
        if old?.isDeleted == true, !new.isDeleted { undelete(ids: ids) }
        if new.isDeleted, state.isAlive(new.id) { delete(ids: ids) }
        for name in changedFields(from: old, to: new) {
            // An empty value states that it was removed.
            setField(name, to: new.fields[name] ?? SyncSecret(SecretBytes(count: 0) { _ in }), of: new.id)
        }
        let started = new.started(new.formerPasswords, then: nil)
        let site = new.sites.first ?? ""
        change(
            .password, of: new.id, from: old.map { $0.formerPasswords.map(\.secret) + [$0.password] } ?? [],
            to: started.map { (.password($0.0, site: site, user: new.user), $0.1) }, then: new.password)
        if old?.password != new.password
            || isShown(new.formerPasswords, insteadOf: new.password, by: \.password?.secret, of: new.id)
        {
            setPassword(new.password, site: site, user: new.user, of: new.id)
        }
        let formerCodes = new.started(new.formerCodes, then: nil)
        change(
            .code, of: new.id, from: old.map { $0.formerCodes.map(\.secret) + [$0.code].compactMap(\.self) } ?? [],
            to: formerCodes.map { (code($0.0, of: new.id), $0.1) }, then: new.code)
        if old?.code != new.code || isShown(new.formerCodes, insteadOf: new.code, by: \.code?.uri, of: new.id) {
            setCode(new.code, of: new.id)
        }
        setCounters(of: new)
    }

    /// Whether a former value is the present one in the state: it was there between two equal ones, and `change` has added it now.
    private func isShown(
        _ former: [EarlierRecord.Former], insteadOf value: SyncSecret?, by present: (RecordView) -> SyncSecret?,
        of id: ObjectID
    ) -> Bool {
        let shown = state.view(of: id).flatMap(present)
        return shown != value && former.contains { $0.secret == shown }
    }

    private func isMoved(from old: EarlierRecord, to new: EarlierRecord) -> Bool {
        guard old.user.utf8.elementsEqual(new.user.utf8) else { return true }
        return old.sites != new.sites && Set(old.sites) != Set(new.sites)
    }

    /// The names of the fields that differ, ascending.
    private func changedFields(from old: EarlierRecord?, to new: EarlierRecord) -> [String] {
        guard let old else { return new.fields.keys.sorted() }
        guard old.fields != new.fields else { return [] }
        return Set(new.fields.keys).union(old.fields.keys).filter { new.fields[$0] != old.fields[$0] }.sorted()
    }

    /// Counts the codes up to what the record has; a counter never falls.
    mutating func setCounters(of record: EarlierRecord) {
        guard !record.counters.isEmpty else { return }
        let ids = group(of: record.id)
        for counter in record.counters where counter.value > state.counter(of: counter.uri, in: ids) {
            for nonce in state.nonces(of: counter.uri, in: ids).sorted() {
                emit(.counter(nonce, counter.value, by: origin))
            }
        }
    }

    private mutating func code(_ uri: SyncSecret, of id: ObjectID) -> ElementValue {
        .code(OneTimeCode(uri: uri, nonce: state.nonces(of: uri, in: group(of: id)).max() ?? entropy.next()))
    }

    /// Adds to the history what an import has brought, and drops from it what is not in it any more.
    private mutating func change(
        _ kind: ElementKind, of id: ObjectID, from old: [SyncSecret],
        to former: [(value: ElementValue, start: Timestamp)],
        then present: SyncSecret?
    ) {
        let kept = former.compactMap(\.value.secret) + [present].compactMap(\.self)
        // A save that only replaces the present one changes nothing of the history.
        if old.count <= kept.count, former.count <= old.count, zip(old, kept).allSatisfy(==) { return }
        let ids = group(of: id)
        for id in ids {
            let elements = state.records[id]?.elements(of: kind) ?? []
            drop(
                elements.filter { element in
                    element.value.secret.map { old.contains($0) && !kept.contains($0) } ?? false
                }, of: id)
            for entry in former {
                guard let secret = entry.value.secret, !old.contains(secret),
                    !elements.contains(where: { $0.value.secret == secret })
                else { continue }
                add(entry.value, to: id, at: entry.start)
            }
        }
    }
}

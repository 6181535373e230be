// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension SyncWriter {
    /// Saves a new record.
    package mutating func create(_ id: ObjectID, site: String, user: String, password: SyncSecret) {
        move(id, user: user, sites: [site])
        setPassword(password, site: site, user: user, of: id)
    }

    /// Replaces the password; the present one becomes history.
    package mutating func setPassword(_ password: SyncSecret, site: String, user: String, of id: ObjectID) {
        put(.password(password, site: site, user: user), to: id)
    }

    /// Replaces the one-time-code secret, or removes it; the present one becomes history. A secret that the record has, or had,
    /// keeps its counter.
    package mutating func setCode(_ uri: SyncSecret?, of id: ObjectID) {
        let code = uri.map { uri in
            OneTimeCode(uri: uri, nonce: state.nonces(of: uri, in: group(of: id)).max() ?? entropy.next())
        }
        put(.code(code), to: id)
    }

    /// Replaces a field.
    package mutating func setField(_ name: String, to value: SyncSecret, of id: ObjectID) {
        put(.field(name, value), to: id)
    }

    /// Sets the user and all sites. All are written again, on every id, at one time: the group stays one and always has a site.
    package mutating func move(_ id: ObjectID, user: String, sites: [String]) {
        let ids = group(of: id)
        let time = time(after: [.user, .site], in: state.relatives(of: id))
        for id in ids {
            drop(state.records[id]?.elements(of: .user, .site) ?? [], of: id)
            add(.user(user), to: id, at: time)
            for site in sites { add(.site(site), to: id, at: time) }
        }
    }

    /// Counts one more code. Returns the counter; nil where there is no code.
    package mutating func advanceCounter(of id: ObjectID) -> UInt64? {
        guard let uri = state.view(of: id)?.code?.uri else { return nil }
        let ids = group(of: id)
        let (next, overflow) = state.counter(of: uri, in: ids).addingReportingOverflow(1)
        guard !overflow else { return nil }
        for nonce in state.nonces(of: uri, in: ids).sorted() { emit(.counter(nonce, next, by: origin)) }
        return next
    }

    /// A field names the values that it replaces. Of a set only what the history has no space for is dropped.
    private mutating func put(_ value: ElementValue, to id: ObjectID) {
        let ids = group(of: id)
        let time = time(after: [value.kind], in: state.relatives(of: id))
        for id in ids {
            if !value.kind.isSet { drop(state.records[id]?.elements(of: value.kind) ?? [], of: id) }
            add(value, to: id, at: time)
        }
        if value.kind.isSecret { evict(value.kind, from: ids) }
    }

    /// Drops the values beyond the history's limit, and the older ones of equal values. "No code" is kept only while it is in force.
    /// Each id keeps its newest value: if the group splits, none is without one.
    mutating func evict(_ kind: ElementKind, from ids: [ObjectID]) {
        var kept: [SyncSecret?] = []
        for element in state.newestFirst(in: ids) where element.kind == kind && kept.count <= Self.historyLimit {
            let secret = element.value.secret
            if kept.isEmpty || secret != nil && !kept.contains(secret) { kept.append(secret) }
        }
        for id in ids {
            var met: [SyncSecret?] = []
            for element in (state.records[id]?.elements(of: kind) ?? []).reversed() {
                let secret = element.value.secret
                if met.contains(secret) || !kept.contains(secret) && !met.isEmpty { drop([element], of: id) }
                met.append(secret)
            }
        }
    }
}

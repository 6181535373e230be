// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Vault {
    /// Keeps an offer; durable on return, so that the app can be told of it.
    package func insert(_ offer: Offer) throws(VaultError) {
        try write { parts, statements, changes throws(VaultError) in
            try insert(offer, parts, statements, &changes)
        }
    }

    /// The pending offer of this very subject for this form that is wanted, if it has not expired.
    package func pendingOffer(
        for subject: Subject, service: Service, form: String, at now: Timestamp,
        where isWanted: (Offer) -> Bool = { _ in true }
    ) throws(VaultError) -> Offer? {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            let index = BlindIndex(
                scope: Offer.pendingScope(app: subject.app, service: service, key: key),
                name: Offer.formName(subject: subject, service: service, form: form, key: key))
            let found = try statements.records.byLookup.all(.bytes(index.bytes)) { row throws(VaultError) in
                try record(row, parts, statements, as: Offer.self)
            }
            return found.first { $0.expires > now && isWanted($0) }
        }
    }

    package func offer(_ id: ObjectID) throws(VaultError) -> Offer? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    /// How many offers of an app for a service are pending, those included whose time has run out since the last
    /// `expireOffers`. Opens none.
    package func pendingOfferCount(app: String, service: Service) throws(VaultError) -> Int {
        try read { parts, statements throws(VaultError) in
            try count(in: Offer.pendingScope(app: app, service: service, key: parts.keys.index), statements)
        }
    }

    /// Those offers that are wanted, in the order of their ids. With `pendingOnly` the settled ones, which may be many
    /// more, are not opened.
    package func offers(
        pendingOnly: Bool, after cursor: ObjectID?, limit: Int, where isWanted: (Offer) -> Bool = { _ in true }
    ) throws(VaultError) -> VaultPage<Offer, ObjectID> {
        let settled = try pendingOnly ? Offer.settledScope(key: unlocked.keys.index) : nil
        return try list(after: cursor, limit: limit, outside: settled, where: isWanted)
    }

    /// Turns a pending offer into a credential: in one transaction the offer becomes accepted, and the credential of this user
    /// is made or gets the new password, its former one being kept.
    ///
    /// Once more with the same arguments it changes nothing and tells the same; another user, or an offer that was declined
    /// or has expired, throws `offerSettled`.
    /// - Parameters:
    ///   - service: where it is not the offer's: another of the same site, where the user has a password already.
    ///   - replaced: the credential that a change-of-password form is about; `user` is then its user.
    ///   - isReviving: whether one that was declined or has expired is taken too, because the person says so.
    package func accept(
        _ id: ObjectID, for service: Service? = nil, user: String, replacing replaced: ObjectID? = nil, writer: Subject,
        ifVersion version: UInt64? = nil, isReviving: Bool = false, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let offer: Offer = try fetch(id, parts, statements) else { throw .notFound(id) }
            guard isReviving ? offer.isOpen : offer.state == .pending && offer.expires > now else {
                return try repeated(offer, user: user, parts, statements)
            }
            let service = service ?? offer.service
            if let replaced {
                guard let target: Credential = try fetch(replaced, parts, statements), target.deleted == nil,
                    target.isFor(service), Canonical.utf8(target.user) == Canonical.utf8(user)
                else { throw .notFound(replaced) }
            }
            let draft = CredentialDraft(
                service: service, user: user, password: offer.password,
                rules: offer.rules.isEmpty ? nil : offer.rules, writer: writer)
            let saved = try save(draft, ifVersion: version, at: now, parts, statements, &changes)
            try settle(offer, as: .accepted(saved.id), at: now, parts, statements, &changes)
            return Saved(
                id: saved.id, version: saved.version, isNew: saved.isNew, changed: true, services: saved.services)
        }
    }

    /// Declines a pending offer; its password stays findable for a time.
    ///
    /// - Returns: false where it was declined before. Throws `offerSettled` where it was accepted.
    package func decline(_ id: ObjectID, at now: Timestamp) throws(VaultError) -> Bool {
        try write { parts, statements, changes throws(VaultError) in
            guard let offer: Offer = try fetch(id, parts, statements) else { throw .notFound(id) }
            switch offer.state {
            case .pending: break
            case .declined, .expired: return false
            case .accepted: throw .offerSettled(offer.state)
            }
            try settle(offer, as: .declined, at: now, parts, statements, &changes)
            return true
        }
    }

    /// Takes the offers whose time has run out off the pending ones; their passwords stay findable. Opens all that are pending.
    package func expireOffers(at now: Timestamp) throws(VaultError) {
        var (expired, cursor): ([ObjectID], ObjectID?) = ([], nil)
        repeat {
            let page = try offers(pendingOnly: true, after: cursor, limit: .max - 1) { $0.expires <= now }
            expired += page.elements.map(\.id)
            cursor = page.next
        } while cursor != nil
        try expire(expired, at: now)
    }

    /// The same for those of them that are known to have no more time.
    package func expire(_ offers: [ObjectID], at now: Timestamp) throws(VaultError) {
        guard !offers.isEmpty else { return }
        try write { parts, statements, changes throws(VaultError) in
            for id in offers {
                guard let offer: Offer = try fetch(id, parts, statements), offer.state == .pending, offer.expires <= now
                else { continue }
                try settle(offer, as: .expired, at: now, parts, statements, &changes)
            }
        }
    }

    /// Whether there are so many settled offers that some are to be dropped: a tenth more than are kept, for all are opened for it.
    package var hasTooManySettledOffers: Bool { (counts?.settledOffers ?? 0) > limits.settledOffers * 11 / 10 }

    /// Removes settled offers for good where there are too many, the oldest of the app that has the most: so an app that
    /// settles offers without end loses its own. Takes some 40 ms.
    package func dropSettledOffers() throws(VaultError) {
        guard hasTooManySettledOffers else { return }
        try write { parts, statements, changes throws(VaultError) in
            let settled = try fetchAll(in: Offer.settledScope(key: parts.keys.index), parts, statements, as: Offer.self)
            // The newest first.
            var byApp = Dictionary(grouping: settled, by: \.subject.app).mapValues { offers in
                offers.sorted { $0.changed.milliseconds > $1.changed.milliseconds }
            }
            for _ in 0..<max(0, settled.count - limits.settledOffers) {
                guard let most = byApp.max(by: { $0.value.count < $1.value.count })?.key,
                    let oldest = byApp[most]?.popLast()
                else { return }
                try remove(oldest, statements, &changes)
            }
        }
    }

    private func settle(
        _ offer: Offer, as state: Offer.State, at now: Timestamp, _ parts: UnlockedVault,
        _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        var settled = offer
        settled.state = state
        settled.settled = now
        settled.version += 1
        try replace(offer, with: settled, parts, statements, &changes)
    }

    /// What accepting a settled offer once more comes to.
    private func repeated(
        _ offer: Offer, user: String, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> Saved {
        guard case .accepted(let id) = offer.state, let credential: Credential = try fetch(id, parts, statements),
            Canonical.utf8(credential.user) == Canonical.utf8(user)
        else { throw .offerSettled(offer.state == .pending ? .expired : offer.state) }
        return Saved(id: id, version: credential.version, isNew: false, changed: false)
    }
}

extension Offer {
    /// Whether nothing was made of it yet.
    fileprivate var isOpen: Bool {
        switch state {
        case .pending, .declined, .expired: true
        case .accepted: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Adds and settles offers.
package struct StoredOfferWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Adds an offer; durable on return, so that the app can be given it.
    package func insert(_ offer: Offer) throws(VaultError) {
        try store.write { transaction throws(VaultError) in try transaction.insert(offer) }
    }

    /// Turns a pending offer into a credential: in one transaction the offer becomes accepted, and the credential of this user is
    /// added or gets the new password, with the former one kept.
    ///
    /// A second call with the same arguments changes nothing and returns the same. Another user, or an offer that was declined or
    /// has expired, throws `offerSettled`.
    /// - Parameters:
    ///   - service: where it is not the offer's: another of the same site, where the user has a password already.
    ///   - replaced: the credential that a change-of-password form is about; `user` is then its user.
    ///   - isReviving: whether an offer that was declined or has expired is accepted too, by the user's decision.
    package func accept(
        _ id: ObjectID, for service: Service? = nil, user: String, replacing replaced: ObjectID? = nil, writer: Subject,
        ifVersion version: UInt64? = nil, isReviving: Bool = false, at now: Timestamp
    ) throws(VaultError) -> Saved {
        let settled = store.deletionTime(at: now)
        return try store.write { transaction throws(VaultError) in
            let records = transaction.records
            guard let offer: Offer = try records.fetch(id) else { throw .notFound(id) }
            guard isReviving ? offer.isOpen : offer.state == .pending && offer.expires > now else {
                return try Self.repeated(offer, user: user, replacing: replaced, records)
            }
            let service = service ?? offer.service
            if let replaced {
                guard let target: Credential = try records.fetch(replaced), target.deleted == nil,
                    target.isFor(service), Canonical.utf8(target.user) == Canonical.utf8(user)
                else { throw .notFound(replaced) }
            }
            let draft = CredentialDraft(
                service: service, user: user, password: offer.password,
                rules: offer.rules.isEmpty ? nil : offer.rules, writer: writer)
            let saved = try transaction.save(draft, ifVersion: version, at: now)
            try transaction.settle(offer, as: .accepted(saved.id), at: settled)
            return Saved(
                id: saved.id, version: saved.version, isNew: saved.isNew, changed: true, services: saved.services)
        }
    }

    /// The result of accepting a settled offer again.
    private static func repeated(
        _ offer: Offer, user: String, replacing replaced: ObjectID?, _ records: RecordView
    ) throws(VaultError) -> Saved {
        guard case .accepted(let id) = offer.state, let credential = try records.credential(id),
            Canonical.utf8(credential.user) == Canonical.utf8(user),
            try replaced.map({ id throws(VaultError) in try records.credential(id)?.id == credential.id }) ?? true
        else { throw .offerSettled(offer.state == .pending ? .expired : offer.state) }
        return Saved(unchanged: credential)
    }

    /// Declines a pending offer; its password can be found for a time.
    ///
    /// - Returns: false where it was declined, or had expired, before. Throws `offerSettled` where it was accepted.
    package func decline(_ id: ObjectID, at now: Timestamp) throws(VaultError) -> Bool {
        let settled = store.deletionTime(at: now)
        return try store.write { transaction throws(VaultError) in
            guard let offer: Offer = try transaction.records.fetch(id) else { throw .notFound(id) }
            switch offer.state {
            case .pending where offer.expires <= now:
                try transaction.settle(offer, as: .expired, at: settled)
                return false
            case .pending: break
            case .declined, .expired: return false
            case .accepted: throw .offerSettled(offer.state)
            }
            try transaction.settle(offer, as: .declined, at: settled)
            return true
        }
    }

    /// Settles all pending offers that have expired; their passwords can still be found. Opens all that are pending.
    package func expireAll(at now: Timestamp) throws(VaultError) {
        var (expired, cursor): ([ObjectID], ObjectID?) = ([], nil)
        repeat {
            let page = try StoredOfferReader(store).page(pendingOnly: true, after: cursor, limit: .max - 1) {
                $0.expires <= now
            }
            expired += page.elements.map(\.id)
            cursor = page.next
        } while cursor != nil
        try expire(expired, at: now)
    }

    /// Settles those of these offers that are pending and have expired.
    package func expire(_ offers: [ObjectID], at now: Timestamp) throws(VaultError) {
        guard !offers.isEmpty else { return }
        let settled = store.deletionTime(at: now)
        try store.write { transaction throws(VaultError) in
            for id in offers {
                guard let offer: Offer = try transaction.records.fetch(id), offer.state == .pending,
                    offer.expires <= now
                else { continue }
                try transaction.settle(offer, as: .expired, at: settled)
            }
        }
    }

    /// Removes settled offers for good where there are too many, the oldest of the app that has the most: so an app that settles
    /// offers without end loses its own. Takes some 40 ms.
    package func dropSettled() throws(VaultError) {
        guard try StoredOfferReader(store).hasTooManySettled else { return }
        try store.write { transaction throws(VaultError) in
            let scope = Offer.settledScope(key: transaction.records.key)
            let settled: [Offer] = try transaction.records.fetchAll(in: scope)
            // The newest first.
            var byApp = Dictionary(grouping: settled, by: \.subject.app).mapValues { offers in
                offers.sorted { $0.changed.milliseconds > $1.changed.milliseconds }
            }
            for _ in 0..<max(0, settled.count - store.limits.settledOffers) {
                guard let most = byApp.max(by: { $0.value.count < $1.value.count })?.key,
                    let oldest = byApp[most]?.popLast()
                else { return }
                try transaction.remove(oldest)
            }
        }
    }
}

extension RecordTransaction {
    /// - Parameter time: a `deletionTime`.
    fileprivate mutating func settle(_ offer: Offer, as state: Offer.State, at time: Timestamp) throws(VaultError) {
        var settled = offer
        settled.state = state
        settled.settled = time
        settled.version += 1
        try replace(offer, with: settled)
    }
}

extension Offer {
    /// Whether it was not accepted.
    fileprivate var isOpen: Bool {
        switch state {
        case .pending, .declined, .expired: true
        case .accepted: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Finds offers.
package struct StoredOfferReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package func get(_ id: ObjectID) throws(VaultError) -> Offer? {
        try store.read { records throws(VaultError) in try records.fetch(id) }
    }

    /// The pending offer of exactly this subject for this form that is wanted, if it has not expired.
    package func pending(
        for subject: Subject, service: Service, form: String, at now: Timestamp,
        where isWanted: (Offer) -> Bool = { _ in true }
    ) throws(VaultError) -> Offer? {
        try store.read { records throws(VaultError) in
            let index = BlindIndex(
                scope: Offer.pendingScope(app: subject.app, service: service, key: records.key),
                name: Offer.formName(subject: subject, service: service, form: form, key: records.key))
            let found = try records.statements.records.byLookup.all(.bytes(index.bytes)) { row throws(VaultError) in
                try records.record(row, as: Offer.self)
            }
            return found.first { $0.expires > now && isWanted($0) }
        }
    }

    /// How many offers of an app for a service are pending, those included that have expired since the last
    /// `StoredOfferWriter.expire`. Opens none.
    package func pendingCount(app: String, service: Service) throws(VaultError) -> Int {
        try store.read { records throws(VaultError) in
            try records.count(in: Offer.pendingScope(app: app, service: service, key: records.key))
        }
    }

    /// The offers that are wanted, in the order of their ids. With `pendingOnly` the settled ones, which may be many more, are not
    /// opened.
    package func page(
        pendingOnly: Bool, after cursor: ObjectID?, limit: Int, where isWanted: (Offer) -> Bool = { _ in true }
    ) throws(VaultError) -> VaultPage<Offer, ObjectID> {
        try store.read { records throws(VaultError) in
            let settled = pendingOnly ? Offer.settledScope(key: records.key) : nil
            return try records.list(after: cursor, limit: limit, outside: settled, where: isWanted)
        }
    }

    /// Whether there are so many settled offers that some are to be dropped: a tenth more than are kept, as all are opened for it.
    package var hasTooManySettled: Bool {
        get throws(VaultError) {
            let settled = try store.unlocked.manifest?.root.tallies[Tally.settledOffers.rawValue] ?? 0
            return Int(clamping: settled) > store.limits.settledOffers * 11 / 10
        }
    }
}

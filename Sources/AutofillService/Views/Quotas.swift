// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

/// How much programs have made since the start. Whose credentials and items are is sealed in them, so that those of before the
/// start count for nobody.
package final class Quotas {
    /// When offers were last checked for those whose time has run out, in milliseconds of the steady clock.
    private var lastExpiry: Int64 = 0
    /// How many new credentials each app has made.
    private var madeCredentials: [String: Int] = [:]
    var items = ItemQuotas()

    package init() {}

    func hasCredentialCapacity(for app: String) -> Bool { madeCredentials[app, default: 0] < Limits.credentialsPerApp }

    package func noteCredential(madeBy app: String) { madeCredentials[app, default: 0] += 1 }

    /// Whether offers are to be checked: at most every ten seconds, since it reads them all.
    func mayExpireOffers(at now: Timestamp) -> Bool { now.milliseconds - lastExpiry >= 10_000 }

    func noteExpiry(at now: Timestamp) { lastExpiry = now.milliseconds }
}

/// Which programs made the keychain items and verifiers that were made since the start and still exist, by quota key.
struct ItemQuotas {
    private var makers: [ObjectID: String] = [:]
    private var counts: [String: Int] = [:]

    /// Whether a program may make another.
    func hasCapacity(for key: String) -> Bool { counts[key, default: 0] < Limits.itemsPerApp }

    mutating func note(_ id: ObjectID, madeBy key: String) {
        forget(id)
        makers[id] = key
        counts[key, default: 0] += 1
    }

    /// It was deleted, by any program: its maker may make another.
    mutating func forget(_ id: ObjectID) {
        guard let key = makers.removeValue(forKey: id), let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

/// Whether programs may make more.
package struct QuotaReader {
    private let quotas: Quotas

    package init(_ quotas: Quotas) { self.quotas = quotas }

    package func hasCredentialCapacity(for app: String) -> Bool { quotas.hasCredentialCapacity(for: app) }

    /// Throws where the client, or all together, have made as many items or verifiers as there may be.
    ///
    /// - Parameter count: how many there are.
    package func requireItemCapacity(besides count: Int, _ request: RequestView) throws(Unsettled) {
        guard count < Limits.items, request.isProven || quotas.items.hasCapacity(for: request.quotaKey) else {
            throw Unsettled(.tooManyItems)
        }
    }
}

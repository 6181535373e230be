// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import CredentialStorage
package import Credentials
internal import Reasons

/// Offers of strong passwords, without the passwords.
package struct OfferReader {
    private let vault: VaultKeeper
    private let quotas: Quotas

    package init(_ vault: VaultKeeper, _ quotas: Quotas) { (self.vault, self.quotas) = (vault, quotas) }

    /// The steady clock.
    package var now: Timestamp { vault.clock.steady }

    package func offer(_ id: ObjectID) throws(Unsettled) -> Sealed<Offer>? {
        try vault.read { readers throws(VaultError) in try readers.offers.get(id) }.map(Sealed.init)
    }

    package func offer(named name: String) throws(Unsettled) -> Sealed<Offer>? {
        _ = try vault.unlocked()
        guard let id = ObjectID(name), id.kind == .offer else { return nil }
        return try offer(id)
    }

    /// The pending offer of this form that was made to the app, identified as well as now or less. Where nothing distinguishes
    /// the app from another's script it is one of this connection: no other may know its password.
    package func pending(_ service: Service, form: String, _ request: RequestView) throws(Unsettled) -> Sealed<Offer>? {
        _ = try vault.unlocked()
        let now = now
        let isDistinguished = request.app?.owner == nil
        for subject in try request.subject().equalsAndWeaker {
            let found = try vault.read { readers throws(VaultError) in
                try readers.offers.pending(for: subject, service: service, form: form, at: now) { offer in
                    isDistinguished || request.hasMade(offer.id)
                }
            }
            if let found { return Sealed(found) }
        }
        return nil
    }

    package func offers(
        pendingOnly: Bool, after id: ObjectID?, limit: Int, where isWanted: (Sealed<Offer>) -> Bool
    ) throws(Unsettled) -> VaultPage<Sealed<Offer>, ObjectID> {
        let found = try vault.read { readers throws(VaultError) in
            try readers.offers.page(pendingOnly: pendingOnly, after: id, limit: limit) { isWanted(Sealed($0)) }
        }
        return VaultPage(elements: found.elements.map(Sealed.init), next: found.next)
    }

    /// Throws where an app has, or all apps have, as many pending offers as there may be; waits until those are marked whose time
    /// has run out.
    package func requireCapacity(for subject: Subject, _ service: Service) throws(Unsettled) {
        if try hasCapacity(for: subject, service) { return }
        if quotas.mayExpireOffers(at: now) { throw .waits(for: .offerExpiry) }
        throw Unsettled(.tooManyOffers, [.app: subject.app, .domain: service.value])
    }

    private func hasCapacity(for subject: Subject, _ service: Service) throws(Unsettled) -> Bool {
        let here = try vault.read { readers throws(VaultError) in
            try readers.offers.pendingCount(app: subject.app, service: service)
        }
        let all = try vault.unlocked().counts?.pendingOffers ?? 0
        guard here < Limits.pendingOffersPerService, all < Limits.pendingOffers else { return false }
        // The app of an offer is sealed in it: read only where one app may be about to use the capacity of all.
        guard all >= Limits.pendingOffers / 2 else { return true }
        let own = try vault.read { readers throws(VaultError) in
            try readers.offers.page(pendingOnly: true, after: nil, limit: Limits.pendingOffersPerApp) { offer in
                offer.subject.app == subject.app
            }
        }
        return own.elements.count < Limits.pendingOffersPerApp
    }
}

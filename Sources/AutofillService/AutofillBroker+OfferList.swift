// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// Finding the offers that were made.
extension AutofillBroker {
    /// The app's own offers that wait; with proof everyone's, in any state.
    func listOffers(_ call: OfferList, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> OfferList.Answer {
        let open = try vault.unlocked()
        let state = call.state ?? "pending"
        if !isProven, state != "pending" { throw RefusedRequest(.proofRequired) }
        let subject = isProven ? nil : try subject(of: client)
        let after = try cursor(call.page.cursor)
        let now = now
        let page = try attempting { () throws(VaultError) in
            try open.offers(pendingOnly: state == "pending", after: after, limit: call.page.limit) { offer in
                (subject?.isAtLeast(offer.subject) ?? true) && (state == "all" || offer.word(at: now) == state)
            }
        }
        return OfferList.Answer(
            offers: page.elements.map { OfferReport($0, at: now) }, next: page.next?.description)
    }
}

extension Offer {
    /// Its state on the wire. One whose time has run out is expired, though nobody noted it yet.
    fileprivate func word(at now: Timestamp) -> String {
        switch state {
        case .pending: expires > now ? "pending" : "expired"
        case .accepted: "accepted"
        case .declined: "declined"
        case .expired: "expired"
        }
    }
}

extension OfferReport {
    fileprivate init(_ offer: Offer, at now: Timestamp) {
        var credential: ObjectID?
        if case .accepted(let id) = offer.state { credential = id }
        self.init(
            offer: offer.id.description, bundleID: offer.subject.app,
            service: ServiceIdentifier(type: offer.service.kind.rawValue, value: offer.service.value), form: offer.form,
            state: offer.word(at: now), credential: credential?.description, length: offer.password.count,
            created: offer.created.description, expires: offer.expires.description,
            settled: offer.settled?.description)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The app's own offers that wait; with proof everyone's, in any state.
extension OfferList: JudgedCall {
    typealias Area = OfferMethods
    typealias Decision = Answer

    func promptText(_ views: OfferViews) -> String? { "list which passwords were offered to which apps" }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try views.credentials.saved.requireOpenVault()
        let state = state ?? "pending"
        if !request.isProven, state != "pending" { throw Unsettled(.proofRequired) }
        let own = try own(views.credentials.access, request)
        let now = views.offers.now
        let found = try views.offers.offers(
            pendingOnly: state == "pending", after: try page.after(), limit: page.limit
        ) { offer in own(offer) && (state == "all" || offer.stateName(at: now) == state) }
        return Answer(offers: found.elements.map { OfferReport($0, at: now) }, next: found.next?.description)
    }

    /// Whether an offer is listed to an app: what it made on this connection, and the others where they are its own.
    private func own(_ access: Access, _ request: RequestView) throws(Unsettled) -> (Sealed<Offer>) -> Bool {
        if request.isProven { return { _ in true } }
        let subject = try request.subject()
        let isOwn = try access.hasOwnDataConsent(request)
        return { offer in request.hasMade(offer.id) || isOwn && subject.isAtLeast(offer.subject) }
    }
}

extension Sealed<Offer> {
    /// Its state on the wire. One whose time has run out is expired, though that was not noted yet.
    fileprivate func stateName(at now: Timestamp) -> String {
        switch state {
        case .pending: expires > now ? "pending" : "expired"
        case .accepted: "accepted"
        case .declined: "declined"
        case .expired: "expired"
        }
    }
}

extension OfferReport {
    fileprivate init(_ offer: Sealed<Offer>, at now: Timestamp) {
        var credential: ObjectID?
        if case .accepted(let id) = offer.state { credential = id }
        self.init(
            offer: offer.id.description, bundleID: offer.subject.app,
            service: ServiceIdentifier(offer.service), formID: offer.form,
            state: offer.stateName(at: now), credential: credential?.description, length: offer.length,
            created: offer.created.description, expires: offer.expires.description,
            settled: offer.settled?.description)
    }
}

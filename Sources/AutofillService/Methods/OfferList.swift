// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// The app's own offers that wait; with proof everyone's, in any state.
extension OfferList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "list which passwords were offered to which apps" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let state = state ?? "pending"
        if !request.isProven, state != "pending" { throw RefusedRequest(.proofRequired) }
        let session = request.isProven ? nil : request.session
        _ = try session?.subject()
        let after = try page.after()
        let now = modules.clock.steady
        let found = try attempting { () throws(VaultError) in
            try open.readers.offers.page(pendingOnly: state == "pending", after: after, limit: page.limit) { offer in
                (session.map { modules.isReached(offer, $0) } ?? true)
                    && (state == "all" || offer.word(at: now) == state)
            }
        }
        return Answer(offers: found.elements.map { OfferReport($0, at: now) }, next: found.next?.description)
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
            service: ServiceIdentifier(offer.service), form: offer.form,
            state: offer.word(at: now), credential: credential?.description, length: offer.password.count,
            created: offer.created.description, expires: offer.expires.description,
            settled: offer.settled?.description)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension Modules {
    /// The offer of that name: with proof whomever it was made to, else if it was made to this app, known this way.
    func offer(_ text: String, _ request: RequestContext) throws(RefusedRequest) -> Offer {
        let subject = request.isProven ? nil : try request.session.subject()
        let offer = try offer(text) { subject?.isAtLeast($0.subject) ?? true }
        if subject != nil, !request.session.memory.ownership.hasMade(offer.id) {
            try authoriser.requireOwnWord(request)
        }
        return offer
    }

    /// Whether an app's offer is listed to it: what it made on this connection, and the others where they are its own.
    func isReached(_ offer: Offer, _ session: Session) -> Bool {
        session.memory.ownership.hasMade(offer.id) || (try? authoriser.isOwn(offer.subject, of: session)) == true
    }

    /// An offer as a prompt names it.
    func shownOffer(_ name: String) throws(RefusedRequest) -> String {
        let offer = try offer(name) { _ in true }
        return "the password that was offered to \(shown(offer.subject.app)) for \(shown(offer.service.value))"
    }

    private func offer(_ text: String, where isReached: (Offer) -> Bool) throws(RefusedRequest) -> Offer {
        let open = try vault.unlocked()
        guard let id = ObjectID(text), id.kind == .offer,
            let offer = try attempting({ () throws(VaultError) in try open.readers.offers.get(id) }), isReached(offer)
        else { throw RefusedRequest(.offerNotFound) }
        return offer
    }

    /// The pending offer of this form that was made to the app, known as well as now or less. Where nothing sets the app apart
    /// from another's script it is one of this connection: no other may know its password.
    func pendingOffer(
        of session: Session, _ service: Service, form: String
    ) throws(RefusedRequest) -> Offer? {
        let open = try vault.unlocked()
        let now = clock.steady
        let isKnownApart = session.app?.owner == nil
        for subject in try session.subject().equalsAndWeaker {
            let found = try attempting { () throws(VaultError) in
                try open.readers.offers.pending(for: subject, service: service, form: form, at: now) { offer in
                    isKnownApart || session.memory.ownership.hasMade(offer.id)
                }
            }
            if let found { return found }
        }
        return nil
    }

    /// Turns an offer into a saved credential.
    func accept(
        _ name: String, user: String?, replacing replaced: String?, ifVersion: String?, _ request: RequestContext
    ) throws(RefusedRequest) -> Saved {
        let offer = try offer(name, request)
        let now = clock.steady
        if !request.isProven {
            try authoriser.examine(request, offer.service, for: .save)
            if case .pending = offer.state, offer.expires <= now { throw RefusedRequest(.offerExpired) }
        }
        let old = try replaced.map { text throws(RefusedRequest) in try self.replaced(text, by: offer, request) }
        guard let user = old?.user ?? user else { throw RefusedRequest(.internalFault) }
        let place = try place(of: user, at: offer.service, request)
        if !request.isProven, old == nil, case .pending = offer.state {
            try requireRoom(request, toSave: user, of: place)
        }
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.writers.offers.accept(
                offer.id, for: place, user: user, replacing: old?.id, writer: offer.subject,
                ifVersion: ifVersion.map(storedVersion), isReviving: request.isProven, at: now)
        }
        // Accepted before, it may have another password by now.
        if saved.changed { noteWritten(saved, of: place, request) }
        return saved
    }

    /// The credential that a change-of-password form replaces: one that the app may change; with proof any of the site.
    private func replaced(
        _ text: String, by offer: Offer, _ request: RequestContext
    ) throws(RefusedRequest) -> Credential {
        let old = try credential(named: text)
        let place = try place(of: old.user, at: offer.service, request)
        guard old.kind == .password, old.isFor(place) else { throw RefusedRequest(.credentialNotFound) }
        if !request.isProven, case .pending = offer.state {
            _ = try authoriser.authorise(request, toChange: old.user, of: place)
        }
        return old
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// `autofill.accept`, `autofill.decline`, what becomes of a form that was sent, and `offer.list`.
struct OfferMethods: MethodArea {
    let views: OfferViews
    private let credentials: CredentialMethods
    private let vault: VaultKeeper
    private let settings: SettingsInForce

    init(
        _ credentials: CredentialMethods, _ offers: OfferReader, _ vault: VaultKeeper, _ settings: SettingsInForce
    ) {
        views = OfferViews(credentials: credentials.views, offers: offers)
        self.credentials = credentials
        self.vault = vault
        self.settings = settings
    }

    func effects(for request: RequestContext) -> OfferEffects {
        OfferEffects(
            credentials: credentials.effects(for: request), offers: OfferWriter(vault, settings, request))
    }
}

struct OfferViews {
    let credentials: CredentialViews
    let offers: OfferReader
}

struct OfferEffects {
    let credentials: CredentialEffects
    let offers: OfferWriter
}

extension OfferViews {
    /// The offer of that name: with proof of any app, else if it was made to this app, identified this way.
    func offer(_ name: String, _ request: RequestView) throws(Unsettled) -> Sealed<Offer> {
        let subject = request.isProven ? nil : try request.subject()
        guard let offer = try offers.offer(named: name), subject?.isAtLeast(offer.subject) ?? true else {
            if subject != nil {
                try credentials.access.examine(credentials.sites.unnamed(request), for: .save, request)
            }
            throw Unsettled(.offerNotFound)
        }
        if subject != nil, !request.hasMade(offer.id) { try credentials.access.requireOwnDataConsent(request) }
        return offer
    }

    /// An offer as a prompt names it.
    func shownOffer(_ name: String) throws(Unsettled) -> String {
        guard let offer = try offers.offer(named: name) else { throw Unsettled(.offerNotFound) }
        return "the password that was offered to \(shownName(offer.subject.app)) for \(shownName(offer.service.value))"
    }

    /// How an offer becomes a saved credential.
    ///
    /// - Parameters:
    ///   - kept: the service under which the user's credential is kept, where it is known.
    ///   - replaced: the credential that a change-of-password form replaces.
    func acceptance(
        of name: String, user: String?, at kept: Service? = nil, replacing replaced: String? = nil,
        _ request: RequestView
    ) throws(Unsettled) -> OfferAcceptance {
        let offer = try offer(name, request)
        if !request.isProven {
            try credentials.access.examine(offer.service, for: .save, request)
            if case .pending = offer.state, offer.expires <= offers.now { throw Unsettled(.offerExpired) }
        }
        let old = try replaced.map { name throws(Unsettled) in try self.replaced(name, by: offer, request) }
        guard let user = old?.user ?? user else { throw Unsettled(.internalFault) }
        let found = old.flatMap { credentials.sites.service(keeping: $0, at: offer.service, request) } ?? kept
        let service =
            if let found { found } else { try credentials.saved.service(of: user, at: offer.service, request) }
        if !request.isProven, old == nil, case .pending = offer.state {
            try credentials.requireCapacity(toSave: user, of: service, request)
        }
        return OfferAcceptance(offer, for: service, user: user, replacing: old?.id)
    }

    /// The credential that a change-of-password form replaces: one that the app may change; with proof any of the site.
    private func replaced(
        _ name: String, by offer: Sealed<Offer>, _ request: RequestView
    ) throws(Unsettled) -> Sealed<Credential> {
        guard let old = try credentials.saved.credential(named: name) else { throw Unsettled(.credentialNotFound) }
        guard old.isPassword, let service = credentials.sites.service(keeping: old, at: offer.service, request) else {
            throw Unsettled(.credentialNotFound)
        }
        if !request.isProven, case .pending = offer.state {
            _ = try credentials.access.toChange(old.user, of: service, request)
        }
        return old
    }
}

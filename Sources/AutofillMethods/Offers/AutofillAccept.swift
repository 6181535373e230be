// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Saves the password of an offer.
extension AutofillAccept: JudgedCall {
    typealias Area = OfferMethods

    func promptText(_ views: OfferViews) throws(Unsettled) -> String? {
        let offered = try views.shownOffer(offer)
        guard let replaces else { return "save \(offered)" + (user.map { ", for \(shownName($0))" } ?? "") }
        return "save \(offered), replacing that of \(try views.credentials.shownCredential(replaces))"
    }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> OfferAcceptance {
        try views.acceptance(of: offer, user: user, replacing: replaces, request)
    }

    func act(on acceptance: OfferAcceptance, _ effects: OfferEffects) throws(Refusal) -> SavedAnswer {
        let saved = try effects.credentials.saved.accept(acceptance, ifVersion: ifVersion.map(storedVersion))
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}

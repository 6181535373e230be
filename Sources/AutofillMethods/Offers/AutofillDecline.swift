// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Settles an offer as declined; its password stays findable for a time.
extension AutofillDecline: JudgedCall {
    typealias Area = OfferMethods

    func promptText(_ views: OfferViews) throws(Unsettled) -> String? { "decline \(try views.shownOffer(offer))" }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> ObjectID {
        let offer = try views.offer(offer, request)
        if !request.isProven { try views.credentials.access.examine(offer.service, for: .save, request) }
        return offer.id
    }

    func act(on id: ObjectID, _ effects: OfferEffects) throws(Refusal) -> Changed {
        Changed(try effects.offers.decline(id))
    }
}

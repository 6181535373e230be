// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import Reasons

/// Forgets what the user typed into a form that the site refused.
extension AutofillWithdraw: JudgedCall {
    typealias Area = OfferMethods

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> String {
        try views.credentials.access.examine(views.credentials.sites.unnamed(request), for: .save, request)
        return submission
    }

    func act(on id: String, _ effects: OfferEffects) throws(Refusal) -> Changed { Changed(effects.offers.withdraw(id)) }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Reasons

/// Forgets what the user typed into a form that the site refused.
extension AutofillWithdraw: JudgedCall {
    typealias Area = OfferMethods

    /// Whatever the app may do now: it is the connection's own, and is forgotten.
    func judge(_ views: OfferViews, _ request: RequestView) -> String { submission }

    func act(on id: String, _ effects: OfferEffects) throws(Refusal) -> Changed { Changed(effects.offers.withdraw(id)) }
}

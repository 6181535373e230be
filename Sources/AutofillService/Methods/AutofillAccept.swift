// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Saves the password of an offer.
extension AutofillAccept: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "save \(try modules.shownOffer(offer))" + (user.map { ", for \(shown($0))" } ?? "")
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> SavedAnswer {
        let saved = try modules.accept(offer, user: user, replacing: replaces, ifVersion: ifVersion, request)
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Puts an offer away; its password stays findable for a time.
extension AutofillDecline: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "put away \(try modules.shownOffer(offer))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let offer = try modules.offer(offer, request)
        if !request.isProven {
            try modules.authoriser.examine(request, offer.service, for: .save)
        }
        let open = try modules.vault.unlocked()
        return Changed(
            try attempting { () throws(VaultError) in
                try open.writers.offers.decline(offer.id, at: modules.clock.steady)
            })
    }
}

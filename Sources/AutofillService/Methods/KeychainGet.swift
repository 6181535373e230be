// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

extension KeychainGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "read the keychain item \(shownItem(accessGroup, service, account))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let place = try modules.authoriser.place(accessGroup, service, request)
        guard let item = try modules.item(place, account) else { throw RefusedRequest(.itemNotFound) }
        let authorisation = try modules.authoriser.authorise(
            request, toReach: place, writtenBy: item.writer, isMade: request.session.hasMade(item))
        try modules.audit.release(item.id, place.granted, request, authorisation)
        return Answer(summary: KeychainItemSummary(item), data: item.data)
    }
}

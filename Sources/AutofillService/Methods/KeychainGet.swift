// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

extension KeychainGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "read the keychain item \(try modules.shownItem(name))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        guard let item = try modules.item(name, request) else { throw RefusedRequest(.itemNotFound) }
        let authorisation = try modules.authorise(request, toReach: item)
        try modules.audit.release(item.id, KeychainPlace(item).granted, request, authorisation)
        return Answer(summary: KeychainItemSummary(item), data: item.data)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension GrantList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "list which apps are allowed to fill what" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let after = try page.after()
        let found = try attempting { () throws(VaultError) in try open.grants(after: after, limit: page.limit) }
        return Answer(grants: found.elements.map(GrantReport.init), next: found.next?.description)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Settings

extension GrantList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "list which apps are allowed to fill what" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let after = try page.after()
        let found = try attempting { () throws(VaultError) in
            try open.readers.grants.page(after: after, limit: page.limit)
        }
        // What is in memory only stands among the others by its id.
        let words = modules.browserGrants.filter { word in
            (after.map { $0 < word.id } ?? true) && (found.next.map { word.id < $0 } ?? true)
        }
        let all = words.isEmpty ? found.elements : (found.elements + words).sorted { $0.id < $1.id }
        let grants = all.prefix(page.limit)
        let next = all.count > page.limit ? grants.last?.id : found.next
        return Answer(grants: grants.map(GrantReport.init), next: next?.description)
    }
}

extension Modules {
    /// The words for all web sites that browsers have now.
    var browserGrants: [Grant] {
        guard settings.effective.askInBrowser == .once else { return [] }
        return authoriser.browserWords.grants(replacements: vault.replacements)
    }
}

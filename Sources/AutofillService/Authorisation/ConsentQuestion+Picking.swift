// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
package import Prompting

/// An account that the user can pick.
package struct PromptedAccount: Hashable, Sendable {
    package let id: ObjectID
    package let user: String

    package init(id: ObjectID, user: String) { (self.id, self.user) = (id, user) }

    /// The user name as a prompt shows it.
    var shown: String { PromptText.shown(user, limit: Limits.pickedUserBytes) }
}

/// The user picks one of several accounts by its number.
extension ConsentQuestion {
    /// The accounts in as many prompts as they need, each with the whole text of the first question: the number 0 shows the
    /// next one.
    package var pages: [Range<Int>] {
        let capacity = PromptText.capacity(beside: description(of: 0..<0, isLast: false))
        var pages: [Range<Int>] = []
        var (start, taken) = (0, 0)
        for (index, account) in accounts.enumerated() {
            let length = PromptText.length(of: line(index, account))
            if index > start, taken + length > capacity {
                pages.append(start..<index)
                (start, taken) = (index, 0)
            }
            taken += length
        }
        pages.append(start..<accounts.count)
        return pages
    }

    /// One of the prompts.
    package func pick(from page: Range<Int>, isLast: Bool, error: String?) -> Prompt {
        Prompt(
            title: Self.title, description: description(of: page, isLast: isLast), kind: .number(error: error),
            parentWindow: self.page.window)
    }

    private func description(of page: Range<Int>, isLast: Bool) -> String {
        let list = page.map { line($0, accounts[$0]) }.joined()
        let others = isLast ? "" : "0  others\n"
        let asked = matter.kind == .save ? "Save \(typed)?" : "\(evidence.name) wants to \(fills)."
        let question = "\(asked) Type the number of the account."
        let used =
            accounts.count < Limits.listDefault ? "" : " Only the \(accounts.count) that were used last are here."
        return "\(question)\(used)\n\n\(around)\(list)\(others)\n\(evidence.lines)"
    }

    private func line(_ index: Int, _ account: PromptedAccount) -> String { "\(index + 1)  \(account.shown)\n" }
}

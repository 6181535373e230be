// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Prompting

/// Several keychain items of other programs, which the user is asked about at once.
struct PromptedItems: Hashable {
    let ids: [ObjectID]
    /// The services of the grants: a single item, or all items that one program saved.
    let grants: [Service]
    /// The programs all of whose items are allowed, as shown.
    let whole: [String]
    /// The programs that saved them, as shown.
    let owners: [String]
    /// What the first of them are called.
    let labels: [String]

    /// - Parameter bytes: how many bytes each label may have.
    func question(of name: String, bytes: Int) -> String {
        let others = ids.count - labels.count
        let shown = labels.map { "“\(PromptText.shown($0, limit: min(bytes, Limits.promptedItemBytes)))”" }
        return
            "\(name) wants to read \(ids.count == 1 ? "a secret" : "\(ids.count) secrets") that it did not save itself.\n\n"
            + "Saved by \(Self.listed(owners)):\n"
            + (shown + (others > 0 ? ["and \(others) more"] : [])).joined(separator: "\n")
    }

    /// Whether the yes holds for longer.
    func afterYes(of name: String, _ memory: String) -> String {
        whole.isEmpty
            ? "May \(name) read these secrets \(memory), without asking again?"
            : "May \(name) read all secrets of \(Self.listed(whole)), those to come too, \(memory), without asking again?"
    }

    private static func listed(_ names: [String]) -> String {
        let rest = names.count - Limits.promptedPrograms
        return names.prefix(Limits.promptedPrograms).joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more programs" : "")
    }

    /// The first of several by its name; empty where there is none.
    static func named(_ names: [String]) -> String {
        guard let first = names.first else { return "" }
        return "“\(shown(first))”" + (names.count > 1 ? " and \(names.count - 1) more" : "")
    }

    static func shown(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptedItemBytes) }
}

extension ConsentQuestion {
    /// May it have several items? Their labels get the bytes that the list of answers leaves.
    func firstPrompt(of items: PromptedItems) -> Prompt {
        let bare = asking(items.question(of: evidence.name, bytes: 0))
        let bytes = PromptText.capacity(beside: bare.listing) / max(1, items.labels.count)
        return asking(items.question(of: evidence.name, bytes: max(0, bytes)))
    }

    /// Whose items of Secret Service the question is about, as it is shown; empty where it is about a single item; nil of all
    /// others.
    var secretServiceOwner: String? {
        guard let name = service.secretServiceName else { return nil }
        return ObjectID(name) == nil ? PromptedItems.shown(name) : ""
    }
}

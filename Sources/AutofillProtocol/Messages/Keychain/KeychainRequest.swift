// SPDX-License-Identifier: Apache-2.0

package struct KeychainRequest: InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainRequest,
        "Prompts the user once for several items, and returns which of them may be read. It releases none.",
        .release, app: .registered, vault: .open, repeatable: true)
    package let items: [String]
    package let interaction: Interaction

    package init(items: [String], interaction: Interaction = .allow) {
        (self.items, self.interaction) = (items, interaction)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let items = try field(
            "items", \.items, .strings(limit: Limits.listLimit, bytes: 1...64), "The items' ids, one at least.")
        if field.isReading, items.isEmpty { throw field.invalid("items", "at least one id") }
        return Self(items: items, interaction: try field.interaction(\.interaction))
    }

    /// In the order of the request. The id of an item that the app may not access is in none of them.
    package struct Answer: Message, Hashable {
        package let readable: [String]
        package let withheld: [String]
        package let items: [KeychainSearch.FoundItem]

        package init(readable: [String], withheld: [String], items: [KeychainSearch.FoundItem]) {
            (self.readable, self.withheld, self.items) = (readable, withheld, items)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                readable: try field(
                    "readable", \.readable, .strings(), "Those that `keychain.get` returns without a prompt."),
                withheld: try field("withheld", \.withheld, .strings(), "Those that another program wrote."),
                items: try field(
                    "items", \.items, .objects(),
                    "Of the readable ones as many as one answer holds, without their bytes."))
        }
    }
}

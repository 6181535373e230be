// SPDX-License-Identifier: Apache-2.0

package struct KeychainList: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainList, "Lists the items of a namespace, without their bytes, page by page.", .release, app: .registered,
        grant: true, vault: .open, proof: .instead, prompt: true, repeatable: true)

    /// A `place` without an account: those of all accounts.
    package struct ListedPlace: Message, Hashable {
        package let namespace: String

        package init(namespace: String) { self.namespace = namespace }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                namespace: try field(
                    "namespace", \.namespace, .string(1...Limits.itemNameBytes), "The app's name for what it stores."))
        }
    }

    package let place: ListedPlace?
    package let accessGroup: String?
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        namespace: String? = nil, accessGroup: String? = nil, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(namespace.map(ListedPlace.init), accessGroup, page, interaction, proof)
    }

    private init(
        _ place: ListedPlace?, _ accessGroup: String?, _ page: PageRequest, _ interaction: Interaction, _ proof: Proof?
    ) {
        (self.place, self.accessGroup, self.page, self.interaction) = (place, accessGroup, page, interaction)
        self.proof = proof
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(
                optional: "place", \.place, .object(),
                "The items of this namespace; all items of all groups if absent, which needs proof."),
            try field.accessGroup(\.accessGroup),
            try field(\.page),
            try field.interaction(\.interaction),
            try field.proof(\.proof))
        if call.place == nil, call.proof == nil {
            throw field.missing("place", "the namespace whose items are listed, {\"namespace\": …}")
        }
        return call
    }

    package struct Answer: Message, Hashable {
        package let items: [KeychainItemSummary]
        package let next: String?

        package init(items: [KeychainItemSummary], next: String?) { (self.items, self.next) = (items, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                items: try field("items", \.items, .objects(), "The items."),
                next: try field.next(\.next))
        }
    }
}

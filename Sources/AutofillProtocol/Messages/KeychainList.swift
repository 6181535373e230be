// SPDX-License-Identifier: Apache-2.0

package struct KeychainList: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainList, "The items of a service, without their bytes, page by page.", .release, app: .registered,
        grant: true, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let service: String?
    package let accessGroup: String?
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String? = nil, accessGroup: String? = nil, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.service, self.accessGroup, self.page, self.interaction) = (service, accessGroup, page, interaction)
        self.proof = proof
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field(
                optional: "service", \.service, .string(1...Limits.itemNameBytes),
                "All services and groups when absent, which only a proof permits."),
            accessGroup: try field(
                optional: "accessGroup", \.accessGroup, .string(1...255),
                "The group that the item is in; the app's own, its bundle ID, where it is absent."),
            page: try field(\.page),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
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

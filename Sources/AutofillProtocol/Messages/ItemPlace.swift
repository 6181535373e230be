// SPDX-License-Identifier: Apache-2.0

/// Where a keychain item or a verifier is.
package struct ItemPlace: Message, Hashable {
    package let service: String
    package let account: String
    package let accessGroup: String?

    package init(service: String, account: String, accessGroup: String?) {
        (self.service, self.account, self.accessGroup) = (service, account, accessGroup)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field("service", \.service, .string(1...Limits.itemNameBytes), "What the item is for."),
            account: try field("account", \.account, .string(1...Limits.itemNameBytes), "The account."),
            accessGroup: try field(
                optional: "accessGroup", \.accessGroup, .string(1...255),
                "The app's own, its bundle ID, when it is absent."))
    }
}

/// A call about one keychain item or one verifier.
package protocol ItemCall: MethodCall {
    var place: ItemPlace { get }
}

extension ItemCall {
    package var service: String { place.service }
    package var account: String { place.account }
    package var accessGroup: String? { place.accessGroup }
}

/// One that says no more than that.
package protocol PlainItemCall: ItemCall, ProvableCall {
    var interaction: Interaction { get }

    init(place: ItemPlace, interaction: Interaction, proof: Proof?)
}

extension PlainItemCall {
    package init(
        service: String, account: String, accessGroup: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(service: service, account: account, accessGroup: accessGroup), interaction: interaction,
            proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place), interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

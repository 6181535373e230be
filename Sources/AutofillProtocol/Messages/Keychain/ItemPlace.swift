// SPDX-License-Identifier: Apache-2.0

/// A namespace and an account, Apple's kSecAttrService and kSecAttrAccount: one item of an access group has both.
package struct PlaceName: Message, Hashable {
    package let namespace: String
    package let account: String

    package init(namespace: String, account: String) { (self.namespace, self.account) = (namespace, account) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            namespace: try field(
                "namespace", \.namespace, .string(1...Limits.itemNameBytes), "The app's name for what it stores."),
            account: try field("account", \.account, .string(1...Limits.itemNameBytes), "The account."))
    }
}

/// The namespace, account and access group of a keychain item or a verifier.
package struct ItemPlace: Message, Hashable {
    package let name: PlaceName
    package let accessGroup: String?

    package init(namespace: String, account: String, accessGroup: String?) {
        (name, self.accessGroup) = (PlaceName(namespace: namespace, account: account), accessGroup)
    }

    private init(_ name: PlaceName, _ accessGroup: String?) { (self.name, self.accessGroup) = (name, accessGroup) }

    package var namespace: String { name.namespace }
    package var account: String { name.account }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(try field("place", \.name, .object(), "Its namespace and account."), try field.accessGroup(\.accessGroup))
    }
}

extension FieldVisitor {
    mutating func accessGroup(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(
            optional: "accessGroup", get, .string(1...255),
            "The access group; the app's own, its bundle ID, if it is absent.")
    }
}

/// A call about one verifier.
package protocol ItemCall: MethodCall {
    var place: ItemPlace { get }
}

extension ItemCall {
    package var namespace: String { place.namespace }
    package var account: String { place.account }
    package var accessGroup: String? { place.accessGroup }
}

/// One without further parameters.
package protocol PlainItemCall: ItemCall, ProvableCall {
    var interaction: Interaction { get }

    init(place: ItemPlace, interaction: Interaction, proof: Proof?)
}

extension PlainItemCall {
    package init(
        namespace: String, account: String, accessGroup: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup),
            interaction: interaction, proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place), interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

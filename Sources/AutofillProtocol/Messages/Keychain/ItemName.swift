// SPDX-License-Identifier: Apache-2.0

/// The keychain item of a call: by its id, or by its `place`.
package struct ItemName: Message, Hashable {
    package let id: String?
    package let place: PlaceName?
    package let accessGroup: String?

    private init(_ id: String?, _ place: PlaceName?, _ accessGroup: String?) {
        (self.id, self.place, self.accessGroup) = (id, place, accessGroup)
    }

    package static func id(_ id: String) -> Self { Self(id, nil, nil) }

    package static func place(namespace: String, account: String, accessGroup: String? = nil) -> Self {
        Self(nil, PlaceName(namespace: namespace, account: account), accessGroup)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            try field(optional: "item", \.id, .id, "The item's id."),
            try field(optional: "place", \.place, .object(), "Its namespace and account."),
            try field.accessGroup(\.accessGroup))
    }
}

extension FieldVisitor {
    /// For the end of a call with an item's name.
    mutating func ruleOfName() throws(ProtocolProblem) {
        try rule(.one, of: ["place", "item"], "the item's place, or its id as item")
    }
}

/// A call about one keychain item.
package protocol KeychainItemCall: ProvableCall {
    var name: ItemName { get }
}

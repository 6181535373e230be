// SPDX-License-Identifier: Apache-2.0

/// An item was saved, or was there already.
package struct KeychainSaved: Message, Hashable {
    package let item: String
    package let changed: Bool

    package init(item: String, changed: Bool) { (self.item, self.changed) = (item, changed) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            item: try field("item", \.item, .id, "Its id."),
            changed: try field.changed(\.changed))
    }
}

/// An item without its bytes.
package struct KeychainItemSummary: Message, Hashable {
    package let item: String
    package let accessGroup: String
    package let service: String
    package let account: String
    package let version: Int
    package let created: String
    package let changed: String

    package init(
        item: String, accessGroup: String, service: String, account: String, version: Int, created: String,
        changed: String
    ) {
        (self.item, self.accessGroup, self.service, self.account) = (item, accessGroup, service, account)
        (self.version, self.created, self.changed) = (version, created, changed)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            item: try field("item", \.item, .id, "Its id."),
            accessGroup: try field(
                "accessGroup", \.accessGroup, .string(1...255), "The group that the item is in."),
            service: try field("service", \.service, .string(0...Limits.itemNameBytes), "What the item is for."),
            account: try field("account", \.account, .string(0...Limits.itemNameBytes), "As first saved."),
            version: try field("version", \.version, .integer(1...Int.max), "Counted up by each change."),
            created: try field("created", \.created, .instant, "When it was made."),
            changed: try field("changed", \.changed, .instant, "When it was last changed."))
    }
}

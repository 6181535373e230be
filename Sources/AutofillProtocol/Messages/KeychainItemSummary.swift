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
    package let place: PlaceName?
    package let details: ItemDetails
    package let version: String
    package let created: String
    package let modified: String

    package init(
        item: String, accessGroup: String, place: PlaceName?, details: ItemDetails, version: String, created: String,
        modified: String
    ) {
        (self.item, self.accessGroup, self.place, self.details) = (item, accessGroup, place, details)
        (self.version, self.created, self.modified) = (version, created, modified)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            item: try field("item", \.item, .id, "Its id."),
            accessGroup: try field(
                "accessGroup", \.accessGroup, .string(1...255), "The group that the item is in."),
            place: try field(nullable: "place", \.place, .object(), "The place that it holds, or null."),
            details: try field(\.details),
            version: try field.version(\.version),
            created: try field("created", \.created, .instant, "When it was made."),
            modified: try field("modified", \.modified, .instant, "When it was last changed."))
    }
}

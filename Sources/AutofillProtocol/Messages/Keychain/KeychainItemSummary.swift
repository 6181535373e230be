// SPDX-License-Identifier: Apache-2.0

/// An item was saved, or was there already.
package struct KeychainSaved: Message, Hashable {
    package let item: String
    package let changed: Bool
    private let isNew: Bool?

    package init(item: String, changed: Bool, made: Bool = false) {
        self.init(item: item, changed: changed, isNew: made ? true : nil)
    }

    private init(item: String, changed: Bool, isNew: Bool?) {
        (self.item, self.changed, self.isNew) = (item, changed, isNew)
    }

    package var made: Bool { isNew ?? false }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            item: try field("item", \.item, .id, "Its id."),
            changed: try field.changed(\.changed),
            isNew: try field(optional: "new", \.isNew, .boolean, "`true` where this request made it."))
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
            place: try field(optional: "place", \.place, .object(), "Its `place`, if it has one."),
            details: try field(\.details),
            version: try field.version(\.version),
            created: try field("created", \.created, .instant, "When it was created."),
            modified: try field("modified", \.modified, .instant, "When it was last changed."))
    }
}

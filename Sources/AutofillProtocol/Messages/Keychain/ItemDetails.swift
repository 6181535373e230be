// SPDX-License-Identifier: Apache-2.0

/// What an item has in addition to its bytes and its `place`. Of an existing item, what is left out is not changed.
package struct ItemDetails: Message, Hashable {
    package let attributes: [String: String]?
    package let label: String?
    package let contentType: String?
    package let collection: String?

    package init(
        attributes: [String: String]? = nil, label: String? = nil, contentType: String? = nil, collection: String? = nil
    ) {
        (self.attributes, self.label, self.contentType, self.collection) = (attributes, label, contentType, collection)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            attributes: try field(
                optional: "attributes", \.attributes, .attributes,
                "All attributes that the item is found by: names and values."),
            label: try field(optional: "label", \.label, .string(0...Limits.itemNameBytes), "The name for people."),
            contentType: try field(
                optional: "contentType", \.contentType, .string(0...255),
                "The media type of the bytes, as the app stated it."),
            collection: try field(
                optional: "collection", \.collection, .string(0...255), "The app's category for it."))
    }
}

/// When an item was made and last changed, where it was kept elsewhere before: for a new one, with proof.
package struct ItemTimes: Message, Hashable {
    package let created: String?
    package let modified: String?

    package init(created: String? = nil, modified: String? = nil) {
        (self.created, self.modified) = (created, modified)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            created: try field(
                optional: "created", \.created, .instant, "With proof: when a new item was made, elsewhere."),
            modified: try field(
                optional: "modified", \.modified, .instant, "With proof: when a new item was last changed, elsewhere."))
    }
}

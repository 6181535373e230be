// SPDX-License-Identifier: Apache-2.0

package struct KeychainSearch: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainSearch, "Lists the items that have all the given attributes, without their bytes, page by page.",
        .release,
        app: .registered, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let attributes: [String: String]
    package let collection: String?
    package let accessGroup: String?
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        attributes: [String: String] = [:], collection: String? = nil, accessGroup: String? = nil,
        page: PageRequest = PageRequest(), interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.attributes, self.collection, self.accessGroup) = (attributes, collection, accessGroup)
        (self.page, self.interaction, self.proof) = (page, interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            attributes: try field(
                "attributes", \.attributes, .attributes, absent: [:],
                "The attributes that an item must have; without any, all items that the program may read."),
            collection: try field(
                optional: "collection", \.collection, .string(1...255), "Only items of this collection."),
            accessGroup: try field(
                optional: "accessGroup", \.accessGroup, .string(1...255),
                "Only this group; all groups that the app may access if it is absent. A proof needs one."),
            page: try field(\.page),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }

    /// One that was found.
    package struct FoundItem: Message, Hashable {
        package let item: String
        package let accessGroup: String
        package let withheld: Bool
        package let place: PlaceName?
        package let details: ItemDetails
        package let version: String?
        package let created: String?
        package let modified: String?

        package init(_ summary: KeychainItemSummary) {
            self.init(
                summary.item, summary.accessGroup, false, summary.place, summary.details, summary.version,
                summary.created, summary.modified)
        }

        /// One of which only the members of the request are listed.
        package init(withheld item: String, accessGroup: String, attributes: [String: String], collection: String?) {
            let details = ItemDetails(attributes: attributes, collection: collection)
            self.init(item, accessGroup, true, nil, details, nil, nil, nil)
        }

        private init(
            _ item: String, _ accessGroup: String, _ withheld: Bool, _ place: PlaceName?, _ details: ItemDetails,
            _ version: String?, _ created: String?, _ modified: String?
        ) {
            (self.item, self.accessGroup, self.withheld, self.place) = (item, accessGroup, withheld, place)
            (self.details, self.version, self.created, self.modified) = (details, version, created, modified)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                try field("item", \.item, .id, "Its id."),
                try field("accessGroup", \.accessGroup, .string(1...255), "The group that the item is in."),
                try field(
                    "withheld", \.withheld, .boolean, absent: false,
                    "Another program wrote it: only what the request named is listed, and `keychain.get` prompts the user."
                ),
                try field(nullable: "place", \.place, .object(), "Its `place`, or null if it has none."),
                try field(\.details),
                try field(
                    optional: "version", \.version, .string(1...64),
                    "The version, another one after each change; opaque."),
                try field(optional: "created", \.created, .instant, "When it was created."),
                try field(optional: "modified", \.modified, .instant, "When it was last changed."))
        }
    }

    package struct Answer: Message, Hashable {
        package let items: [FoundItem]
        package let next: String?

        package init(items: [FoundItem], next: String?) { (self.items, self.next) = (items, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                items: try field("items", \.items, .objects(), "The items."),
                next: try field.next(\.next))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package struct KeychainSearch: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainSearch,
        "Lists the items of a namespace, or those that have all the given attributes, without their bytes, page by page.",
        .release,
        app: .registered, vault: .open, proof: .instead, prompt: true, repeatable: true)
    /// A `place` without an account: those of all accounts.
    package struct ListedPlace: Message, Hashable {
        package let namespace: String

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                namespace: try field(
                    "namespace", \.namespace, .string(1...Limits.itemNameBytes), "The app's name for what it stores."))
        }
    }

    package let place: ListedPlace?
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
        self.init(nil, attributes, collection, accessGroup, page, interaction, proof)
    }

    /// The items of a namespace; nil for all.
    package init(
        namespace: String?, accessGroup: String? = nil, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(namespace.map(ListedPlace.init), [:], nil, accessGroup, page, interaction, proof)
    }

    private init(
        _ place: ListedPlace?, _ attributes: [String: String], _ collection: String?, _ accessGroup: String?,
        _ page: PageRequest, _ interaction: Interaction, _ proof: Proof?
    ) {
        (self.place, self.attributes, self.collection, self.accessGroup) = (place, attributes, collection, accessGroup)
        (self.page, self.interaction, self.proof) = (page, interaction, proof)
    }

    /// Whether it is for all items, of all groups.
    package var isOfEverything: Bool {
        place == nil && attributes.isEmpty && collection == nil && accessGroup == nil
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(
                optional: "place", \.place, .object(),
                "The items that have a place in this namespace. What another program wrote prompts the user."),
            try field(
                "attributes", \.attributes, .attributes, absent: [:],
                "The attributes that an item must have; without any, all items that the program may read."),
            try field(
                optional: "collection", \.collection, .string(1...255), "Only items of this collection."),
            try field(
                optional: "accessGroup", \.accessGroup, .string(1...255),
                """
                Only this group. Absent: with `place` the app's own, else all groups that the app may access. A proof \
                needs one, except for all items of all groups.
                """),
            try field(\.page),
            try field.interaction(\.interaction),
            try field.proof(\.proof))
        try field.rule(.atMostOne, of: ["place", "attributes"], "one of them")
        try field.rule(.atMostOne, of: ["place", "collection"], "one of them")
        return call
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
                try field(optional: "place", \.place, .object(), "Its `place`, if it has one."),
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

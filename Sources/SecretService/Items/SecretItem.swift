// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// An item as a caller may see it, without its secret.
package struct SecretItem: Hashable, Sendable {
    /// The daemon's id, or one of the collection `session`.
    package let id: String
    /// Another program's, of which nothing is told but what the caller has named.
    package let isWithheld: Bool
    package let attributes: [String: String]
    package let label: String
    package let collection: String
    /// Seconds since 1970; 0 where it is not told.
    package let created: UInt64
    package let modified: UInt64

    package init(
        id: String, isWithheld: Bool = false, attributes: [String: String], label: String, collection: String,
        created: UInt64, modified: UInt64
    ) {
        (self.id, self.isWithheld, self.attributes, self.label) = (id, isWithheld, attributes, label)
        (self.collection, self.created, self.modified) = (collection, created, modified)
    }

    package init(_ found: KeychainSearch.FoundItem) {
        self.init(
            id: found.item, isWithheld: found.withheld,
            attributes: HiddenAttribute.shown(found.details.attributes ?? [:]),
            label: found.details.label ?? "", collection: found.details.collection ?? SecretServiceNames.login,
            created: WireInstant.seconds(found.created), modified: WireInstant.seconds(found.modified))
    }
}

/// Attributes that the bridge gives items for itself: callers neither see nor search nor set them.
package enum HiddenAttribute {
    private static let prefix = SecretServiceNames.hiddenPrefix
    /// A collection's record has its token, and its alias where it has one.
    static let collection = prefix + "Collection"
    static let alias = prefix + "Alias"
    static let owner = prefix + "Owner"

    /// What all records of a program's collections are found by.
    static func record(of app: String) -> [String: String] { [prefix + "Record": "collection", owner: app] }

    /// Without those.
    package static func shown(_ attributes: [String: String]) -> [String: String] {
        attributes.filter { !isHidden($0.key) }
    }

    package static func isHidden(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// What is kept for an item with these attributes.
    package static func kept(_ attributes: [String: String]) -> [String: String] {
        attributes.isEmpty ? SecretServiceNames.noAttributes : attributes
    }
}

/// A collection of a caller's.
package struct SecretCollection: Hashable, Sendable {
    package let token: String
    /// The id of the item that is its record; nil where nothing was ever said of it.
    package let record: String?
    package let label: String
    package let alias: String?
    package let created: UInt64
    package let modified: UInt64

    /// nil for what is no record of the caller's own.
    package init?(_ found: KeychainSearch.FoundItem) {
        guard !found.withheld, let token = found.details.attributes?[HiddenAttribute.collection],
            CollectionToken.isValid(token)
        else { return nil }
        self.token = token
        record = found.item
        label = found.details.label ?? token
        alias = found.details.attributes?[HiddenAttribute.alias]
        (created, modified) = (WireInstant.seconds(found.created), WireInstant.seconds(found.modified))
    }

    /// One that is there without a record.
    package init(token: String, label: String) {
        (self.token, self.label) = (token, label)
        (record, alias, created, modified) = (nil, nil, 0, 0)
    }

    package static let login = SecretCollection(token: SecretServiceNames.login, label: "Login")
    package static let session = SecretCollection(token: CollectionToken.session, label: "")
}

// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import Systemd

/// An item as a caller may see it, without its secret.
package struct SecretItem: Hashable, Sendable {
    /// The daemon's id, or one of the collection `session`.
    package let id: String
    /// Whether it is another program's: then the caller can read only what it has named itself.
    package let isWithheld: Bool
    package let attributes: [String: String]
    package let label: String
    package let collection: String
    /// Seconds since 1970; 0 if withheld.
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

    /// All that its path needs.
    package var withoutDetails: SecretItem {
        SecretItem(
            id: id, isWithheld: isWithheld, attributes: [:], label: "", collection: collection, created: created,
            modified: modified)
    }

    /// What it counts for in a call.
    package var bytes: Int {
        attributes.reduce(label.utf8.count + BridgeLimits.answerBytesPerObject) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        }
    }
}

/// Attributes that the bridge sets for itself: callers can neither read nor search nor set them.
package enum HiddenAttribute {
    private static let prefix = SecretServiceNames.hiddenPrefix
    /// The record of a collection has its token, and its alias if it has one.
    static let collection = prefix + "Collection"
    static let alias = prefix + "Alias"
    static let owner = prefix + "Owner"

    /// The attributes by which all records of a program's collections are found.
    static func record(of app: String) -> [String: String] { [prefix + "Record": "collection", owner: app] }

    /// Without the hidden ones.
    package static func shown(_ attributes: [String: String]) -> [String: String] {
        attributes.filter { !isHidden($0.key) }
    }

    package static func isHidden(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Fails if one of the attributes is hidden.
    static func checkNone(in attributes: [String: String]) throws(BusError) {
        guard attributes.keys.contains(where: isHidden) else { return }
        throw .invalid("Attributes that begin with \(prefix) are reserved")
    }

    /// The attributes that are stored for an item with these attributes.
    package static func kept(_ attributes: [String: String]) -> [String: String] {
        attributes.isEmpty ? SecretServiceNames.noAttributes : attributes
    }
}

/// A collection of a caller.
package struct SecretCollection: Hashable, Sendable {
    package let token: String
    /// The id of the item that is its record; nil if it has none.
    package let record: String?
    package let label: String
    package let alias: String?
    package let created: UInt64
    package let modified: UInt64

    /// nil if it is no record of the caller.
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

    /// A collection without a record.
    package init(token: String, label: String) {
        (self.token, self.label) = (token, label)
        (record, alias, created, modified) = (nil, nil, 0, 0)
    }

    package var path: String { SecretPath.collection(token: token).text }

    package static let login = SecretCollection(token: SecretServiceNames.login, label: "Login")
    package static let session = SecretCollection(token: CollectionToken.session, label: "")
}

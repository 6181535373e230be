// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// A keychain item without its bytes, as a search returns it.
public struct KeychainItem: Hashable, Sendable, Identifiable {
    /// The id of the item, which never changes. Everything else may be the same for several items.
    public let id: String
    /// The group that the item is in.
    public let accessGroup: String
    /// What it is found by; `service` and `account` are those of its ``KeychainPasswordItem``, if it is one.
    public let attributes: [String: String]
    /// The name for people.
    public let label: String?
    /// The media type of the bytes, as the app stated it.
    public let contentType: String?
    /// The app's category for it.
    public let collection: String?
    /// When it was created; nil if it ``isWithheld``.
    public let created: Date?
    /// When it was last changed; nil if it ``isWithheld``.
    public let modified: Date?
    /// Another program wrote it: only what the request named is listed, and `keychain.get` prompts the user.
    public let isWithheld: Bool

    init(_ report: KeychainSearch.FoundItem) throws(AutofillError) {
        id = report.item
        accessGroup = report.accessGroup
        attributes = report.details.attributes ?? [:]
        label = report.details.label
        contentType = report.details.contentType
        collection = report.details.collection
        created = try date(report.created)
        modified = try date(report.modified)
        isWithheld = report.withheld
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// A keychain item without its bytes, as a search finds it.
public struct KeychainItem: Hashable, Sendable, Identifiable {
    /// The name of the object, for ever. Items may be alike in everything else.
    public let id: String
    /// The access group that it is in.
    public let accessGroup: String
    /// What it is found by; `service` and `account` are those of its ``KeychainPasswordItem``, where it is one.
    public let attributes: [String: String]
    /// What people call it.
    public let label: String?
    /// The media type of the bytes, as the app says it.
    public let contentType: String?
    /// What the app sorts its items into.
    public let collection: String?
    /// When it was made; nil where it ``isWithheld``.
    public let created: Date?
    /// When it was last changed; nil where it ``isWithheld``.
    public let modified: Date?
    /// Whether another program wrote it: then nothing is told but what was searched for, and reading it asks the person.
    public let isWithheld: Bool

    init(_ found: KeychainSearch.FoundItem) throws(AutofillError) {
        id = found.item
        accessGroup = found.accessGroup
        attributes = found.details.attributes ?? [:]
        label = found.details.label
        contentType = found.details.contentType
        collection = found.details.collection
        created = try date(found.created)
        modified = try date(found.modified)
        isWithheld = found.withheld
    }
}

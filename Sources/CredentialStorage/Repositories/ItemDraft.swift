// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What is to be kept in a keychain item. What is nil an item that is there keeps, and a new one has not.
package struct ItemDraft: Sendable {
    package var attributes: [Item.Attribute]?
    package var label: String?
    package var contentType: String?
    package var collection: String?
    package var data: SecretBytes?
    /// Who is to be kept as the one that wrote the data.
    package var writer: Subject?

    package init(
        attributes: [Item.Attribute]? = nil, label: String? = nil, contentType: String? = nil,
        collection: String? = nil, data: SecretBytes? = nil, writer: Subject? = nil
    ) {
        self.attributes = attributes?.sorted { $0.isBefore($1) }
        self.label = label
        self.contentType = contentType
        self.collection = collection
        self.data = data
        self.writer = writer
    }

    func applied(to old: Item) -> Item {
        var new = old
        if let attributes { new.attributes = attributes }
        new.label = label ?? old.label
        new.contentType = contentType ?? old.contentType
        new.collection = collection ?? old.collection
        if let data { (new.data, new.writer) = (data, writer) }
        return new
    }
}

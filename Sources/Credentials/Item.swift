// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A generic keychain entry: secret bytes in an access group, found by attributes, and by the place that it may have.
package struct Item: Sendable {
    /// Identifies it, even where other items have the same attributes.
    package let id: ObjectID
    /// 1 when made, one more at each change.
    package var version: UInt64
    package let accessGroup: String
    /// nil for one that is found by its id and attributes alone.
    package var place: Place?
    /// In the order of their names, without those of the place; each name once.
    package var attributes: [Attribute]
    package var label: String?
    /// The media type of the data, as the app states it.
    package var contentType: String?
    /// The app's collection of items that it belongs to.
    package var collection: String?
    package var data: SecretBytes
    package let created: Timestamp
    package var changed: Timestamp
    /// The subject that wrote the data last; nil for one written before this was kept.
    package var writer: Subject?

    package init(
        id: ObjectID, version: UInt64 = 1, accessGroup: String, place: Place?, attributes: [Attribute] = [],
        label: String? = nil, contentType: String? = nil, collection: String? = nil, data: SecretBytes,
        created: Timestamp, changed: Timestamp, writer: Subject? = nil
    ) {
        self.id = id
        self.version = version
        self.accessGroup = accessGroup
        self.place = place
        self.attributes = attributes
        self.label = label
        self.contentType = contentType
        self.collection = collection
        self.data = data
        self.created = created
        self.changed = changed
        self.writer = writer
    }

    /// The access group of items that are stored through Secret Service. No registration gives an app access to it: each item in
    /// it belongs to its writer.
    package static let secretServiceGroup = "org.freedesktop.secrets"

    package var isOfSecretService: Bool { accessGroup.utf8.elementsEqual(Self.secretServiceGroup.utf8) }

    /// All attributes, those of the place included, in the order of their names.
    package var allAttributes: [Attribute] {
        guard let place else { return attributes }
        return (attributes + place.attributes).sorted { $0.isBefore($1) }
    }

    /// Its name in a prompt: its service, else its label.
    package var heading: String {
        let service = attributes.first { $0.hasName(Place.serviceName) }?.value
        return [place?.service, label, service].compactMap(\.self).first { !$0.isEmpty } ?? "items without a name"
    }
}

extension Item {
    /// The service and account of an item, unique in its access group. Looked up by the UTF-8 of their NFC form, and kept as
    /// first saved.
    package struct Place: Sendable {
        package static let serviceName = "service"
        package static let accountName = "account"

        package var service: String
        package var account: String

        package init(service: String, account: String) { (self.service, self.account) = (service, account) }

        /// Its service and account as attributes.
        package var attributes: [Attribute] {
            [Attribute(Self.accountName, account), Attribute(Self.serviceName, service)]
        }

        /// Compares the Unicode scalars.
        package func isSame(as other: Place) -> Bool {
            service.utf8.elementsEqual(other.service.utf8) && account.utf8.elementsEqual(other.account.utf8)
        }
    }

    /// An attribute that an app finds its items by. Looked up by the UTF-8 of the NFC form of both, and kept as given.
    package struct Attribute: Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

        package func hasName(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }

        /// Compares the Unicode scalars.
        package func isSame(as other: Attribute) -> Bool {
            hasName(other.name) && value.utf8.elementsEqual(other.value.utf8)
        }

        /// The order of their names, byte for byte.
        package func isBefore(_ other: Attribute) -> Bool { name.utf8.lexicographicallyPrecedes(other.name.utf8) }
    }
}

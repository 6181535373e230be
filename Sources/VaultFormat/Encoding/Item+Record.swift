// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Item: VaultRecord {
    package static var idKind: ObjectID.Kind { .item }

    package var tally: Tally { .items }

    package func blindIndex(key: KeyedHash) -> BlindIndex {
        guard let place else {
            return BlindIndex(
                scope: .unplacedItems, [accessGroup], name: .unplacedItem, [id.description], key: key)
        }
        return Self.blindIndex(accessGroup: accessGroup, place: place, key: key)
    }

    package static func blindIndex(accessGroup: String, place: Place, key: KeyedHash) -> BlindIndex {
        BlindIndex(scope: .items, [accessGroup, place.service], name: .itemAccount, [place.account], key: key)
    }

    package static func scope(accessGroup: String, service: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.items, [accessGroup, service], key: key)
    }

    // MARK: - Look-ups

    /// Its access group, its collection there, and each attribute there; in the group of Secret Service who wrote it.
    package func lookups(key: KeyedHash) -> [SealTag] {
        [Self.lookup(accessGroup: accessGroup, key: key)]
            + (collection.map { [Self.lookup(accessGroup: accessGroup, collection: $0, key: key)] } ?? [])
            + allAttributes.map { Self.lookup(accessGroup: accessGroup, $0, key: key) }
            + (isOfSecretService
                ? writer.map { [Self.lookup(accessGroup: accessGroup, owner: $0.app, key: key)] } ?? [] : [])
    }

    package static func lookup(accessGroup: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.itemGroup, [accessGroup], key: key)
    }

    package static func lookup(accessGroup: String, collection: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.itemCollection, [accessGroup, collection], key: key)
    }

    package static func lookup(accessGroup: String, owner: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.itemOwner, [accessGroup, owner], key: key)
    }

    package static func lookup(accessGroup: String, _ attribute: Attribute, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.itemAttribute, [accessGroup, attribute.name, attribute.value], key: key)
    }

    // MARK: - Fields

    package func write(to writer: inout BinaryWriter) {
        writer.put(accessGroup)
        if writer.format > .first {
            writer.put(place?.service)
            writer.put(place?.account)
            writer.put(UInt16(truncatingIfNeeded: attributes.count))
            for attribute in attributes {
                writer.put(attribute.name)
                writer.put(attribute.value)
            }
            writer.put(label)
            writer.put(contentType)
            writer.put(collection)
        } else {
            writer.put(place?.service ?? "")
            writer.put(place?.account ?? "")
        }
        writer.put(data)
        writer.put(created)
        writer.put(changed)
        if let subject = self.writer { writer.put(subject) }
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let accessGroup = reader.text()
        let (service, account) = (reader.optionalText(), reader.optionalText())
        var attributes: [Attribute] = []
        var details: [String?] = [nil, nil, nil]
        if reader.format > .first {
            let count: UInt16 = reader.integer()
            for _ in 0..<count where reader.isIntact { attributes.append(Attribute(reader.text(), reader.text())) }
            details = details.map { _ in reader.optionalText() }
        }
        var place: Place?
        if let service, let account { place = Place(service: service, account: account) }
        // Both or neither; in the first format both.
        if place == nil, reader.format == .first || service != nil || account != nil { reader.fail(()) }
        let data = reader.secret()
        let created = reader.time()
        let changed = reader.time()
        self.init(
            id: id, version: version, accessGroup: accessGroup, place: place, attributes: attributes, label: details[0],
            contentType: details[1], collection: details[2], data: data, created: created, changed: changed,
            writer: reader.isAtEnd ? nil : reader.subject())
    }

    /// Whether an app finds the same in it, scalar for scalar.
    package func isSame(as other: Item) -> Bool {
        let isSamePlace = place.map { place in other.place.map(place.isSame) ?? false } ?? (other.place == nil)
        return isSamePlace && attributes.elementsEqual(other.attributes) { $0.isSame(as: $1) }
            && [label, contentType, collection].elementsEqual([other.label, other.contentType, other.collection]) {
                $0.map { Array($0.utf8) } == $1.map { Array($0.utf8) }
            } && data.equals(other.data)
    }
}

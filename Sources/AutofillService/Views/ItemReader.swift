// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials

/// Keychain items, without their data.
package struct ItemReader {
    private let vault: VaultKeeper

    package init(_ vault: VaultKeeper) { self.vault = vault }

    package typealias Page = VaultPage<Sealed<Item>, ObjectID>

    package var now: Timestamp { vault.clock.now }

    package func requireOpenVault() throws(Unsettled) { _ = try vault.unlocked() }

    package func count() throws(Unsettled) -> Int { try vault.unlocked().counts?.items ?? 0 }

    package func item(_ id: ObjectID) throws(Unsettled) -> Sealed<Item>? {
        try vault.read { readers throws(VaultError) in try readers.items.get(id) }.map(Sealed.init)
    }

    package func item(_ place: KeychainPlace, _ account: String) throws(Unsettled) -> Sealed<Item>? {
        try vault.read { readers throws(VaultError) in
            try readers.items.get(
                accessGroup: place.group, place: Item.Place(service: place.service, account: account))
        }.map(Sealed.init)
    }

    /// Those with just these attributes.
    package func items(
        _ group: String, just attributes: [Item.Attribute], collection: String?
    ) throws(Unsettled) -> [Sealed<Item>] {
        try vault.read { readers throws(VaultError) in
            try readers.items.all(accessGroup: group, just: attributes, collection: collection)
        }.map(Sealed.init)
    }

    package func all(after id: ObjectID?, limit: Int) throws(Unsettled) -> Page {
        try vault.read { readers throws(VaultError) in try readers.items.page(after: id, limit: limit) }.sealed
    }

    package func items(in place: KeychainPlace, after id: ObjectID?, limit: Int) throws(Unsettled) -> Page {
        try vault.read { readers throws(VaultError) in
            try readers.items.page(accessGroup: place.group, service: place.service, after: id, limit: limit)
        }.sealed
    }

    package func items(_ search: ItemSearch, after id: ObjectID?, limit: Int) throws(Unsettled) -> Page {
        try vault.read { readers throws(VaultError) in try readers.items.page(search, after: id, limit: limit) }
            .sealed
    }
}

extension VaultPage where Cursor == ObjectID {
    fileprivate var sealed: VaultPage<Sealed<Element>, ObjectID> {
        VaultPage<Sealed<Element>, ObjectID>(elements: elements.map(Sealed.init), next: next)
    }
}

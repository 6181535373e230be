// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The order of the credentials of services and sites that were asked for, without their names and secrets: so that a page of
/// them, or the one that was used last, opens no others. A list is named by the scope of its service, or by the tag of its site.
struct CredentialOrders {
    /// A credential's place in a list.
    struct Place {
        let id: ObjectID
        let kind: Credential.Kind
        var position: CredentialPosition
        var version: UInt64

        init(_ summary: CredentialSummary) {
            (id, kind, position, version) = (summary.id, summary.kind, summary.position, summary.version)
        }
    }

    private struct Order {
        var places: [ObjectID: Place]
        /// In order; nil after a change.
        var sorted: [Place]?
    }

    /// How many lists are kept; past that all are forgotten.
    private static let limit = 256
    private var orders: [SealTag: Order] = [:]
    /// The lists of each.
    private var lists: [ObjectID: Set<SealTag>] = [:]

    /// The scope of the service that was asked for last: it is asked for again and again.
    private var lastScope: (service: Service, tag: SealTag)?

    /// The scope of a service's credentials. (A service's value is canonical, so equal strings are equal bytes.)
    mutating func scope(of service: Service, key: KeyedHash) -> SealTag {
        if let lastScope, lastScope.service == service { return lastScope.tag }
        let tag = Credential.scope(service: service, key: key)
        lastScope = (service, tag)
        return tag
    }

    /// The places of a list in order; nil where they are not known.
    mutating func places(in list: SealTag) -> [Place]? {
        guard let order = orders[list] else { return nil }
        if let sorted = order.sorted { return sorted }
        let sorted = order.places.values.sorted { $0.position < $1.position }
        orders[list]?.sorted = sorted
        return sorted
    }

    mutating func set(_ found: [CredentialSummary], in list: SealTag) {
        if orders.count >= Self.limit { self = CredentialOrders() }
        var order = Order(places: [:])
        for summary in found {
            order.places[summary.id] = Place(summary)
            lists[summary.id, default: []].insert(list)
        }
        orders[list] = order
    }

    /// What was saved, changed or deleted, and which lists it is in now.
    mutating func note(_ credential: Credential, lastUsed: Timestamp?, in now: @autoclosure () -> Set<SealTag>) {
        guard !orders.isEmpty else { return }
        let now = credential.deleted == nil ? now() : []
        let place = Place(CredentialSummary(credential, lastUsed: lastUsed))
        for list in now.union(lists[credential.id] ?? []) where orders[list] != nil {
            orders[list]?.places[credential.id] = now.contains(list) ? place : nil
            orders[list]?.sorted = nil
        }
        lists[credential.id] = now.filter { orders[$0] != nil }
    }

    /// What was given out.
    mutating func noteUse(of id: ObjectID, at time: Timestamp) {
        for list in lists[id] ?? [] {
            orders[list]?.places[id]?.position.lastUsed = time
            orders[list]?.sorted = nil
        }
    }
}

extension Vault {
    /// Keeps the orders of credentials what they are after one was written.
    func noteOrder(of record: some VaultRecord, _ parts: UnlockedVault) {
        guard let credential = record as? Credential else { return }
        let key = parts.keys.index
        parts.orders.note(credential, lastUsed: parts.uses[credential.id], in: credential.lists(key: key))
    }

    /// The places of a service's credentials. They are all opened where it is asked for the first time.
    func places(
        for service: Service, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        try places(in: parts.scope(of: service), parts) { () throws(VaultError) in
            try found(for: service, parts, statements)
        }
    }

    /// The same of a site's.
    func places(
        underSite site: String, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        try places(in: Credential.site(site, key: parts.keys.index), parts) { () throws(VaultError) in
            try found(underSite: site, parts, statements)
        }
    }

    private func places(
        in list: SealTag, _ parts: UnlockedVault, _ found: () throws(VaultError) -> [Credential]
    ) throws(VaultError) -> [CredentialOrders.Place] {
        if let places = parts.orders.places(in: list) { return places }
        parts.orders.set(try found().map { CredentialSummary($0, lastUsed: parts.uses[$0.id]) }, in: list)
        return parts.orders.places(in: list) ?? []
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The order of the credentials of services that were asked for, without their names and secrets: so that a page of them, or the
/// one that was used last, opens no others.
struct CredentialOrders {
    /// A credential's place in the list of its service.
    struct Place {
        let id: ObjectID
        var position: CredentialPosition
        var version: UInt64
    }

    private struct Order {
        var places: [ObjectID: Place]
        /// In order; nil after a change.
        var sorted: [Place]?
    }

    /// How many services are kept; past that all are forgotten.
    private static let limit = 256
    private var orders: [SealTag: Order] = [:]
    /// The service of each.
    private var scopes: [ObjectID: SealTag] = [:]

    /// The scope of the service that was asked for last: it is asked for again and again.
    private var lastScope: (service: Service, tag: SealTag)?

    /// The scope of a service's credentials. (A service's value is canonical, so equal strings are equal bytes.)
    mutating func scope(of service: Service, key: KeyedHash) -> SealTag {
        if let lastScope, lastScope.service == service { return lastScope.tag }
        let tag = Credential.scope(service: service, key: key)
        lastScope = (service, tag)
        return tag
    }

    /// The places of a service in order; nil where they are not known.
    mutating func places(in scope: SealTag) -> [Place]? {
        guard let order = orders[scope] else { return nil }
        if let sorted = order.sorted { return sorted }
        let sorted = order.places.values.sorted { $0.position < $1.position }
        orders[scope]?.sorted = sorted
        return sorted
    }

    mutating func set(_ found: [CredentialSummary], in scope: SealTag) {
        if orders.count >= Self.limit { self = CredentialOrders() }
        var order = Order(places: [:])
        for summary in found {
            order.places[summary.id] = Place(id: summary.id, position: summary.position, version: summary.version)
            scopes[summary.id] = scope
        }
        orders[scope] = order
    }

    /// What was saved, changed or deleted.
    mutating func note(_ credential: Credential, lastUsed: Timestamp?, in scope: SealTag) {
        guard orders[scope] != nil else { return }
        let summary = CredentialSummary(credential, lastUsed: lastUsed)
        let place = Place(id: summary.id, position: summary.position, version: summary.version)
        orders[scope]?.places[credential.id] = credential.deleted == nil ? place : nil
        orders[scope]?.sorted = nil
        scopes[credential.id] = scope
    }

    /// What was given out.
    mutating func noteUse(of id: ObjectID, at time: Timestamp) {
        guard let scope = scopes[id] else { return }
        orders[scope]?.places[id]?.position.lastUsed = time
        orders[scope]?.sorted = nil
    }
}

extension Vault {
    /// Keeps the order of a service's credentials what it is after one was written.
    func noteOrder(of record: some VaultRecord, _ parts: UnlockedVault) {
        guard let credential = record as? Credential else { return }
        let scope = Credential.scope(service: credential.service, key: parts.keys.index)
        parts.orders.note(credential, lastUsed: parts.uses[credential.id], in: scope)
    }

    /// The places of a service's credentials. They are all opened where it is asked for the first time.
    func places(
        in scope: SealTag, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        if let places = parts.orders.places(in: scope) { return places }
        let found: [Credential] = try fetchAll(in: scope, parts, statements)
        parts.orders.set(found.map { CredentialSummary($0, lastUsed: parts.uses[$0.id]) }, in: scope)
        return parts.orders.places(in: scope) ?? []
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The order of the credentials of services and sites that were asked for, without their names and secrets: so that a page of
/// them, or the one that was used last, opens no others. A list is named by the scope of its service, or by the tag of its site.
struct CredentialOrders {
    /// A credential's place in a list.
    struct Place {
        let id: ObjectID
        let kind: Credential.Kind
        /// Of the user's name as it is looked up: equal for equal names, and seldom for others.
        let user: Int
        var position: CredentialPosition
        var version: UInt64

        init(_ credential: Credential, lastUsed: Timestamp?) {
            let summary = CredentialSummary(credential, lastUsed: lastUsed)
            (id, kind, position, version) = (summary.id, summary.kind, summary.position, summary.version)
            user = Self.hash(of: summary.user)
        }

        static func hash(of user: String) -> Int { Canonical.utf8(user).hashValue }
    }

    private struct Order {
        var places: [ObjectID: Place] = [:]
        /// In order; nil after a change.
        var sorted: [Place]?
        /// nil where all of the list is in it.
        var building: OrderBuilding?
    }

    /// How many lists are kept; past that all are forgotten but those that are being built, or one of these where all are.
    private static let limit = 256
    private var orders: [SealTag: Order] = [:]
    /// The lists of each.
    private var lists: [ObjectID: Set<SealTag>] = [:]

    var rooms = ServiceRooms()

    /// The scope of the service that was asked for last: it is asked for again and again.
    private var lastScope: (service: Service, tag: SealTag)?

    /// The scope of a service's credentials. (A service's value is canonical, so equal strings are equal bytes.)
    mutating func scope(of service: Service, key: KeyedHash) -> SealTag {
        if let lastScope, lastScope.service == service { return lastScope.tag }
        let tag = Credential.scope(service: service, key: key)
        lastScope = (service, tag)
        return tag
    }

    /// The places of a list in order; nil where they are not all known.
    mutating func places(in list: SealTag) -> [Place]? {
        guard let order = orders[list], order.building == nil else { return nil }
        if let sorted = order.sorted { return sorted }
        let sorted = order.places.values.sorted { $0.position < $1.position }
        orders[list]?.sorted = sorted
        return sorted
    }

    /// How far a list is that is being built; nil where it is whole, or not begun.
    func building(_ list: SealTag) -> OrderBuilding? { orders[list]?.building }

    /// Begins a list, or notes how far it is: nil where it is whole.
    mutating func build(_ list: SealTag, _ building: OrderBuilding?) {
        if orders[list] == nil, orders.count >= Self.limit { makeRoom() }
        orders[list, default: Order()].building = building
    }

    private mutating func makeRoom() {
        let kept = orders.filter { $0.value.building != nil }
        if kept.count >= Self.limit, let one = kept.keys.first { return forget(one) }
        orders = kept
        lists = lists.mapValues { $0.filter { kept[$0] != nil } }.filter { !$0.value.isEmpty }
    }

    mutating func forget(_ list: SealTag) { orders[list] = nil }

    mutating func put(_ credential: Credential, lastUsed: Timestamp?, in list: SealTag) {
        orders[list]?.places[credential.id] = Place(credential, lastUsed: lastUsed)
        orders[list]?.sorted = nil
        lists[credential.id, default: []].insert(list)
    }

    /// What was saved, changed or deleted, and which lists it is in now.
    mutating func note(_ credential: Credential, lastUsed: Timestamp?, in now: @autoclosure () -> Set<SealTag>) {
        guard !orders.isEmpty else { return }
        let now = credential.deleted == nil ? now() : []
        let place = Place(credential, lastUsed: lastUsed)
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

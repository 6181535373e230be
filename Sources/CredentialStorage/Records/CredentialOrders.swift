// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// The order of the credentials of services and sites that were asked for, without their names and secrets: so that a page of
/// them, or the one that was used last, opens no others. A list is named by the scope of its service, or by the tag of its site.
struct CredentialOrders {
    /// One credential of a list.
    struct Entry {
        let id: ObjectID
        let kind: Credential.Kind
        /// The hash of the user's name as it is looked up: equal names have equal hashes.
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
        var entries: [ObjectID: Entry] = [:]
        /// nil after a change.
        var sorted: [Entry]?
        /// nil where the list is complete.
        var building: OrderBuilding?

        mutating func noteUse(of id: ObjectID, at time: Timestamp) {
            entries[id]?.position.lastUsed = time
            sorted = nil
        }
    }

    /// How many lists are kept. Above it all are dropped but those that are being built, or one of these where all are.
    private static let limit = 256
    private var orders: [SealTag: Order] = [:]
    /// The lists that each credential is in.
    private var lists: [ObjectID: Set<SealTag>] = [:]

    /// When credentials were last used, where the file does not have it yet.
    var uses: [ObjectID: Timestamp] = [:]
    var counts = CredentialCounts()

    /// The scope of the service that was asked for last: mostly it is asked for again.
    private var lastScope: (service: Service, tag: SealTag)?
    var indexes = RecentIndexes()

    init(uses: [ObjectID: Timestamp] = [:]) { self.uses = uses }

    /// The scope of a service's credentials. (A service's value is canonical, so equal strings are equal bytes.)
    mutating func scope(of service: Service, key: KeyedHash) -> SealTag {
        if let lastScope, lastScope.service == service { return lastScope.tag }
        let tag = Credential.scope(service: service, key: key)
        lastScope = (service, tag)
        return tag
    }

    /// The entries of a list in order; nil where the list is not complete.
    mutating func entries(in list: SealTag) -> [Entry]? {
        guard let order = orders[list], order.building == nil else { return nil }
        if let sorted = order.sorted { return sorted }
        let sorted = order.entries.values.sorted { $0.position < $1.position }
        orders[list]?.sorted = sorted
        return sorted
    }

    /// The state of a list that is being built; nil where it is complete, or not begun.
    func building(_ list: SealTag) -> OrderBuilding? { orders[list]?.building }

    /// Begins a list, or records its state: nil where it is complete.
    mutating func build(_ list: SealTag, _ building: OrderBuilding?) {
        if orders[list] == nil, orders.count >= Self.limit { freeSpace() }
        orders[list, default: Order()].building = building
    }

    private mutating func freeSpace() {
        let kept = orders.filter { $0.value.building != nil }
        if kept.count >= Self.limit, let one = kept.keys.first { return forget(one) }
        orders = kept
        lists = lists.mapValues { $0.filter { kept[$0] != nil } }.filter { !$0.value.isEmpty }
    }

    mutating func forget(_ list: SealTag) { orders[list] = nil }

    mutating func put(_ credential: Credential, in list: SealTag) {
        orders[list]?.entries[credential.id] = Entry(credential, lastUsed: uses[credential.id])
        orders[list]?.sorted = nil
        lists[credential.id, default: []].insert(list)
    }

    /// Records a credential that was saved, changed or deleted, and the lists that it is in now.
    mutating func note(_ credential: Credential, in now: @autoclosure () -> Set<SealTag>) {
        guard !orders.isEmpty else { return }
        let now = credential.deleted == nil ? now() : []
        let entry = Entry(credential, lastUsed: uses[credential.id])
        for list in now.union(lists[credential.id] ?? []) where orders[list] != nil {
            orders[list]?.entries[credential.id] = now.contains(list) ? entry : nil
            orders[list]?.sorted = nil
        }
        lists[credential.id] = now.filter { orders[$0] != nil }
    }

    /// Records a use.
    mutating func noteUse(of id: ObjectID, at time: Timestamp) {
        uses[id] = time
        for list in lists[id] ?? [] {
            orders[list]?.noteUse(of: id, at: time)
        }
    }
}

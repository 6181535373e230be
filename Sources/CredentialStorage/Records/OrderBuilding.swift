// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// What is still to be opened of a list of credentials before it is complete.
struct OrderBuilding {
    /// The next one is the last.
    private var ids: [ObjectID]
    /// After which the rows of the list's look-up are not read yet.
    private var cursor: ObjectID?
    private var isAtEnd = false
    private var lookUpCount = 0

    init(_ ids: [ObjectID]) { self.ids = ids.reversed() }

    /// How many a service or a site has by look-up at most, and how many rows of these are read at a time.
    private static let lookUpLimit = 4000
    private static let rows = 256

    /// The next one; nil at the end.
    ///
    /// - Parameter lookUp: reads ids by look-up after a cursor.
    mutating func next(
        _ lookUp: (ObjectID?, Int) throws(VaultError) -> VaultPage<ObjectID, ObjectID>
    ) throws(VaultError) -> ObjectID? {
        while ids.isEmpty, !isAtEnd {
            let page = try lookUp(cursor, Self.rows)
            (ids, cursor) = (page.elements.reversed(), page.next)
            lookUpCount += ids.count
            isAtEnd = cursor == nil || lookUpCount >= Self.lookUpLimit
        }
        return ids.popLast()
    }
}

extension RecordView {
    /// The credentials of a service in order. All are opened where it is asked for the first time. Where a turn is not enough for
    /// that, throws `unfinished`, and continues from there when it is asked for again.
    func entries(for service: Service) throws(VaultError) -> [CredentialOrders.Entry] {
        let scope = unlocked.scope(of: service)
        let list = OrderedList(tag: scope, scope: scope, lookup: Credential.further(service, key: key))
        return try entries(in: list) { $0.isFor(service) }
    }

    /// The same of a site.
    func entries(underSite site: String) throws(VaultError) -> [CredentialOrders.Entry] {
        let tag = Credential.site(site, key: key)
        let scope = unlocked.scope(of: Service(kind: .domain, value: site))
        return try entries(in: OrderedList(tag: tag, scope: scope, lookup: tag)) { $0.isUnder(site) }
    }

    /// A list by its name, the scope of the credentials that are in it by their first service, and the tag of those that are in it
    /// by look-up.
    private struct OrderedList {
        let tag, scope, lookup: SealTag
    }

    private func entries(
        in list: OrderedList, where isMeant: (Credential) -> Bool
    ) throws(VaultError) -> [CredentialOrders.Entry] {
        if let entries = unlocked.orders.entries(in: list.tag) { return entries }
        let limit = store.limits.turnBytes
        let (start, end) = (unlocked.opened.bytes, unlocked.opened.turn.map { $0 + limit } ?? .max)
        var rest: OrderBuilding
        if let begun = unlocked.orders.building(list.tag) {
            rest = begun
        } else {
            rest = OrderBuilding(try ids(in: list.scope))
        }
        unlocked.orders.build(list.tag, rest)
        do throws(VaultError) {
            try build(list, &rest, until: end, where: isMeant)
            unlocked.orders.build(list.tag, nil)
        } catch {
            if error == .unfinished { unlocked.orders.build(list.tag, rest) } else { unlocked.orders.forget(list.tag) }
            throw error
        }
        // The rest of a turn that has opened many is too short for what the list is wanted for.
        if end < .max, unlocked.opened.bytes - start > limit / 16 { throw .unfinished }
        return unlocked.orders.entries(in: list.tag) ?? []
    }

    private func build(
        _ list: OrderedList, _ rest: inout OrderBuilding, until end: Int, where isMeant: (Credential) -> Bool
    ) throws(VaultError) {
        repeat {
            let next: ObjectID? = try rest.next { cursor, rows throws(VaultError) in
                try ids(withAll: [list.lookup], after: cursor, limit: rows)
            }
            guard let id = next else { return }
            let credential: Credential? = try fetchIntact(id)
            guard let credential, credential.deleted == nil, isMeant(credential) else { continue }
            unlocked.orders.put(credential, in: list.tag)
        } while unlocked.opened.bytes < end
        throw .unfinished
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What is still to be opened of a list of credentials before its order is known.
struct OrderBuilding {
    /// Those whose ids are known, the next one at the end.
    private var ids: [ObjectID]
    /// Behind which the rows of the list's look-up are not read yet.
    private var cursor: ObjectID?
    private var isAtEnd = false
    private var lookedUp = 0

    init(_ ids: [ObjectID]) { self.ids = ids.reversed() }

    /// How many a service or a site has by look-up, and how many rows of that are read at a time.
    private static let mostLookedUp = 4000
    private static let rows = 256

    /// The next one; nil at the end.
    ///
    /// - Parameter look: reads ids by look-up behind a cursor.
    mutating func next(
        _ look: (ObjectID?, Int) throws(VaultError) -> VaultPage<ObjectID, ObjectID>
    ) throws(VaultError) -> ObjectID? {
        while ids.isEmpty, !isAtEnd {
            let page = try look(cursor, Self.rows)
            (ids, cursor) = (page.elements.reversed(), page.next)
            lookedUp += ids.count
            isAtEnd = cursor == nil || lookedUp >= Self.mostLookedUp
        }
        return ids.popLast()
    }
}

extension Vault {
    /// The places of a service's credentials. They are all opened where it is asked for the first time: where a turn is not
    /// enough for that, throws `unfinished`, and goes on from there when it is asked again.
    func places(
        for service: Service, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        let scope = parts.scope(of: service)
        let list = OrderedList(
            tag: scope, scope: scope, lookup: Credential.further(service, key: parts.keys.index))
        return try places(in: list, parts, statements) { $0.isFor(service) }
    }

    /// The same of a site's.
    func places(
        underSite site: String, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        let tag = Credential.site(site, key: parts.keys.index)
        let scope = parts.scope(of: Service(kind: .domain, value: site))
        return try places(in: OrderedList(tag: tag, scope: scope, lookup: tag), parts, statements) {
            $0.isUnder(site)
        }
    }

    /// A list by its name, the scope of those that it has by their first service, and the tag of those that it has by look-up.
    private struct OrderedList {
        let tag, scope, lookup: SealTag
    }

    private func places(
        in list: OrderedList, _ parts: UnlockedVault, _ statements: VaultStatements, where isMeant: (Credential) -> Bool
    ) throws(VaultError) -> [CredentialOrders.Place] {
        if let places = parts.orders.places(in: list.tag) { return places }
        let (start, end) = (parts.reads.opened.bytes, parts.reads.opened.turn.map { $0 + limits.turnBytes } ?? .max)
        var rest: OrderBuilding
        if let begun = parts.orders.building(list.tag) {
            rest = begun
        } else {
            rest = OrderBuilding(try ids(in: list.scope, statements))
        }
        parts.orders.build(list.tag, rest)
        do throws(VaultError) {
            try build(list, &rest, until: end, parts, statements, where: isMeant)
            parts.orders.build(list.tag, nil)
        } catch {
            if error == .unfinished { parts.orders.build(list.tag, rest) } else { parts.orders.forget(list.tag) }
            throw error
        }
        // What is left of a turn that has opened many is too little for what the list is wanted for.
        if end < .max, parts.reads.opened.bytes - start > limits.turnBytes / 16 { throw .unfinished }
        return parts.orders.places(in: list.tag) ?? []
    }

    private func build(
        _ list: OrderedList, _ rest: inout OrderBuilding, until end: Int, _ parts: UnlockedVault,
        _ statements: VaultStatements,
        where isMeant: (Credential) -> Bool
    ) throws(VaultError) {
        repeat {
            let next: ObjectID? = try rest.next { cursor, rows throws(VaultError) in
                try ids(withAll: [list.lookup], after: cursor, limit: rows, statements)
            }
            guard let id = next else { return }
            let credential: Credential?? = try sound { () throws(VaultError) in try fetch(id, parts, statements) }
            guard let credential = credential ?? nil, credential.deleted == nil, isMeant(credential) else { continue }
            parts.orders.put(credential, lastUsed: parts.uses[id], in: list.tag)
        } while parts.reads.opened.bytes < end
        throw .unfinished
    }
}

// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The collection `session`: items in this process's memory, which end with the process. Each program has its own.
package final class SessionItems {
    /// Whose items they are: a program's, or those of one of its connections alone. Quotas count for the program.
    package struct Owner: Hashable {
        let app: String
        /// The connection's name on the bus; nil for all of the program's.
        var connection: String?
    }

    private struct Entry {
        var item: SecretItem
        var secret: SecretBytes
        var contentType: String

        /// Its memory use, in bytes of content.
        var size: Int {
            item.attributes.reduce(secret.count + item.label.utf8.count + contentType.utf8.count) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
        }
    }

    package enum Failure: Error { case full, notFound }

    private static let prefix = "mem_"
    private var owners: [Owner: [String: Entry]] = [:]
    private var count = 0
    private var bytes = 0
    private var last: UInt64 = 0

    package init() {}

    /// Whether an id belongs to this collection.
    package static func has(_ id: String) -> Bool { id.hasPrefix(prefix) }

    package func item(_ id: String, of owner: Owner) -> SecretItem? { owners[owner]?[id]?.item }

    package func secret(_ id: String, of owner: Owner) -> (secret: SecretBytes, contentType: String)? {
        owners[owner]?[id].map { ($0.secret, $0.contentType) }
    }

    /// The items that have all of these attributes, in the order of creation.
    package func search(_ attributes: [String: String], of owner: Owner) -> [SecretItem] {
        let found = (owners[owner] ?? [:]).values.map(\.item).filter { item in
            attributes.allSatisfy { item.attributes[$0.key] == $0.value }
        }
        return found.sorted { ($0.created, $0.id.utf8.count, $0.id) < ($1.created, $1.id.utf8.count, $1.id) }
    }

    /// - Parameters:
    ///   - replaces: whether an item with just these attributes is changed.
    ///   - now: seconds since 1970.
    /// - Returns: its id, and whether it is new.
    package func set(
        _ attributes: [String: String], label: String, secret: SecretBytes, contentType: String, replaces: Bool,
        of owner: Owner, now: UInt64
    ) throws(Failure) -> (id: String, isNew: Bool) {
        let old = replaces ? (owners[owner] ?? [:]).values.first { $0.item.attributes == attributes } : nil
        let item = SecretItem(
            id: old?.item.id ?? "\(Self.prefix)\(last + 1)", attributes: attributes, label: label,
            collection: CollectionToken.session, created: old?.item.created ?? now, modified: now)
        if old == nil {
            guard count < BridgeLimits.sessionItems,
                entries(of: owner.app).count < BridgeLimits.sessionItemsPerApp
            else { throw .full }
        }
        try put(Entry(item: item, secret: secret, contentType: contentType), of: owner)
        return (item.id, old == nil)
    }

    /// Changes what is given.
    package func change(
        _ id: String, of owner: Owner, label: String? = nil, attributes: [String: String]? = nil,
        secret: (SecretBytes, contentType: String)? = nil, now: UInt64
    ) throws(Failure) {
        guard var entry = owners[owner]?[id] else { throw .notFound }
        if let secret { (entry.secret, entry.contentType) = secret }
        entry.item = SecretItem(
            id: id, attributes: attributes ?? entry.item.attributes, label: label ?? entry.item.label,
            collection: CollectionToken.session, created: entry.item.created, modified: now)
        try put(entry, of: owner)
    }

    /// Stores it, and replaces the one with its id.
    private func put(_ entry: Entry, of owner: Owner) throws(Failure) {
        let old = owners[owner]?[entry.item.id]
        let added = entry.size - (old?.size ?? 0)
        let own = entries(of: owner.app).reduce(0) { $0 + $1.size }
        guard
            added <= 0 || own + added <= BridgeLimits.sessionBytesPerApp && bytes + added <= BridgeLimits.sessionBytes
        else { throw .full }
        bytes += added
        if old == nil {
            count += 1
            last += 1
        }
        owners[owner, default: [:]][entry.item.id] = entry
    }

    /// All of a program, whichever connection they are of.
    private func entries(of app: String) -> [Entry] {
        owners.filter { $0.key.app == app }.flatMap { $0.value.values }
    }

    func hasItems(of owner: Owner) -> Bool { owners[owner] != nil }

    package func deleteAll(of owner: Owner) {
        for entry in (owners.removeValue(forKey: owner) ?? [:]).values {
            count -= 1
            bytes -= entry.size
        }
    }

    package func delete(_ id: String, of owner: Owner) throws(Failure) {
        guard let entry = owners[owner]?.removeValue(forKey: id) else { throw .notFound }
        count -= 1
        bytes -= entry.size
        if owners[owner]?.isEmpty == true { owners[owner] = nil }
    }
}

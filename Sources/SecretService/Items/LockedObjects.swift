// SPDX-License-Identifier: Apache-2.0

/// The own objects that programs have locked, each for itself, until it unlocks them. Only the user can lock the vault
/// with all programs' items.
package struct LockedObjects {
    private var apps: [String: Set<String>] = [:]
    /// The programs, in the order in which they locked their first object.
    private var order: [String] = []

    package init() {}

    /// - Parameter name: a collection's token or an item's id.
    package mutating func lock(_ name: String, of app: String) {
        if apps[app] == nil {
            if order.count >= BridgeLimits.callers { apps[order.removeFirst()] = nil }
            order.append(app)
        }
        if apps[app]?.count ?? 0 < BridgeLimits.rememberedItems { apps[app, default: []].insert(name) }
    }

    package mutating func unlock(_ name: String, of app: String) {
        apps[app]?.remove(name)
        guard apps[app]?.isEmpty == true else { return }
        apps[app] = nil
        order.removeAll { $0 == app }
    }

    package func isLocked(_ name: String, of app: String?) -> Bool {
        guard let app else { return false }
        return apps[app]?.contains(name) ?? false
    }

    /// Whether an item is locked, by itself or with its collection.
    package func isLocked(_ item: SecretItem, of app: String?) -> Bool {
        isLocked(item.id, of: app) || isLocked(item.collection, of: app)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The own objects that programs have locked, each for itself, until it unlocks them. Only the user can lock the vault
/// with all programs' items.
package struct LockedObjects {
    private var apps: [String: Set<String>] = [:]
    /// The programs, in the order in which they locked their first object.
    private var order: [String] = []

    package init() {}

    /// - Parameter name: a collection's token or an item's id.
    /// - Returns: whether it is locked now; false if the program has locked too many.
    @discardableResult
    package mutating func lock(_ name: String, of app: String) -> Bool {
        if apps[app] == nil {
            if order.count >= BridgeLimits.callers { apps[order.removeFirst()] = nil }
            order.append(app)
        }
        guard isLocked(name, of: app) || apps[app]?.count ?? 0 < BridgeLimits.rememberedItems else { return false }
        apps[app, default: []].insert(name)
        return true
    }

    package mutating func unlock(_ name: String, of app: String) {
        apps[app]?.remove(name)
        guard apps[app]?.isEmpty == true else { return }
        apps[app] = nil
        order.removeAll { $0 == app }
    }

    /// Whether a program has locked anything.
    package func hasObjects(of app: String) -> Bool { apps[app] != nil }

    package func isLocked(_ name: String, of app: String?) -> Bool {
        guard let app else { return false }
        return apps[app]?.contains(name) ?? false
    }

    /// Whether an item is locked, by itself or with its collection.
    package func isLocked(_ item: SecretItem, of app: String?) -> Bool {
        isLocked(item.id, of: app) || isLocked(item.collection, of: app)
    }
}

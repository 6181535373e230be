// SPDX-License-Identifier: Apache-2.0

/// The attributes by which one caller has found items of other programs: all that the caller can read of them.
package struct SeenItems {
    private var attributes: [String: [String: String]] = [:]
    /// The ids, in the order of the first search.
    private var order: [String] = []

    package init() {}

    package mutating func note(_ id: String, foundBy named: [String: String]) {
        if attributes.updateValue(named, forKey: id) != nil { return }
        order.append(id)
        guard order.count > BridgeLimits.rememberedItems else { return }
        attributes[order.removeFirst()] = nil
    }

    package mutating func forget(_ id: String) {
        guard attributes.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }

    package func attributes(of id: String) -> [String: String]? { attributes[id] }
}

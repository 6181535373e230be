// SPDX-License-Identifier: Apache-2.0

/// The attributes by which one caller has found items of other programs: all that the caller can read of them.
package struct SeenItems {
    private var attributes: [String: [String: String]] = [:]
    /// The ids, in the order of the first search.
    private var order: [String] = []
    /// Of the attributes.
    private var bytes = 0

    package init() {}

    package mutating func note(_ id: String, foundBy named: [String: String]) {
        let old = attributes.updateValue(named, forKey: id)
        if old == nil { order.append(id) }
        bytes += Self.size(named) - Self.size(old ?? [:])
        while order.count > BridgeLimits.rememberedItems || bytes > BridgeLimits.rememberedBytes {
            drop(order.removeFirst())
        }
    }

    package mutating func forget(_ id: String) {
        guard attributes[id] != nil else { return }
        drop(id)
        order.removeAll { $0 == id }
    }

    private mutating func drop(_ id: String) { bytes -= Self.size(attributes.removeValue(forKey: id) ?? [:]) }

    private static func size(_ attributes: [String: String]) -> Int {
        attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    package func attributes(of id: String) -> [String: String]? { attributes[id] }
}

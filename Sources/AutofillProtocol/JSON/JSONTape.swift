// SPDX-License-Identifier: Apache-2.0

/// The scanner's growing array of nodes, kept from message to message.
struct JSONTape: ~Copyable {
    private(set) var nodes: UnsafeMutablePointer<JSONNode>
    private(set) var count = 0
    private var capacity: Int
    /// 64 KiB; what one large message needed beyond it is freed.
    private static let kept = 4096

    init() {
        capacity = 64
        nodes = .allocate(capacity: capacity)
    }

    deinit { nodes.deallocate() }

    /// The index of the next node.
    var end: UInt32 { UInt32(truncatingIfNeeded: count) }

    mutating func append(_ node: JSONNode) {
        if count == capacity { resize(to: capacity * 2) }
        nodes[count] = node
        count += 1
    }

    mutating func removeAll() {
        count = 0
        if capacity > Self.kept { resize(to: Self.kept) }
    }

    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: newCapacity)
        larger.initialize(from: nodes, count: count)
        nodes.deallocate()
        nodes = larger
        capacity = newCapacity
    }
}

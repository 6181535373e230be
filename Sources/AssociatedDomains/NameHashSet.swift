// SPDX-License-Identifier: Apache-2.0

/// Hashes of names, in one table that is searched from the slot that a hash's low bits select. Hashes are not hashed
/// again, as a `Set` would do for each: the public suffixes, ten thousand, are read at every start.
struct NameHashSet: Sendable {
    private(set) var count = 0
    /// A power of two; 0 is a free slot.
    private var slots: [UInt64]

    /// - Parameter capacity: how many fit before the table grows.
    init(capacity: Int) {
        var size = 16
        while size * 3 / 4 < capacity { size *= 2 }
        slots = [UInt64](repeating: 0, count: size)
    }

    mutating func insert(_ hash: UInt64) {
        if count >= slots.count * 3 / 4 { grow() }
        let slot = slot(of: hash)
        guard slots[slot] == 0 else { return }
        slots[slot] = Self.stored(hash)
        count += 1
    }

    func contains(_ hash: UInt64) -> Bool { slots[slot(of: hash)] != 0 }

    /// The slot of the hash, present or not.
    private func slot(of hash: UInt64) -> Int {
        let stored = Self.stored(hash)
        var slot = Int(truncatingIfNeeded: stored) & (slots.count - 1)
        while slots[slot] != 0, slots[slot] != stored { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        var larger = NameHashSet(capacity: slots.count)
        for hash in slots where hash != 0 { larger.insert(hash) }
        self = larger
    }

    private static func stored(_ hash: UInt64) -> UInt64 { max(hash, 1) }
}

// SPDX-License-Identifier: Apache-2.0

/// Hashes of names, in one table that is searched from the place that a hash's low bits name. Hashes are not hashed again, as a
/// `Set` would do for each: the public suffixes, ten thousand, are read at every start.
struct NameHashSet: Sendable {
    private(set) var count = 0
    /// A power of two; 0 is a free place.
    private var places: [UInt64]

    /// - Parameter capacity: how many fit before the table grows.
    init(capacity: Int) {
        var size = 16
        while size * 3 / 4 < capacity { size *= 2 }
        places = [UInt64](repeating: 0, count: size)
    }

    mutating func insert(_ hash: UInt64) {
        if count >= places.count * 3 / 4 { grow() }
        let place = place(of: hash)
        guard places[place] == 0 else { return }
        places[place] = Self.stored(hash)
        count += 1
    }

    func contains(_ hash: UInt64) -> Bool { places[place(of: hash)] != 0 }

    /// Where the hash is, or would be.
    private func place(of hash: UInt64) -> Int {
        let stored = Self.stored(hash)
        var place = Int(truncatingIfNeeded: stored) & (places.count - 1)
        while places[place] != 0, places[place] != stored { place = (place + 1) & (places.count - 1) }
        return place
    }

    private mutating func grow() {
        var larger = NameHashSet(capacity: places.count)
        for hash in places where hash != 0 { larger.insert(hash) }
        self = larger
    }

    private static func stored(_ hash: UInt64) -> UInt64 { max(hash, 1) }
}

// SPDX-License-Identifier: Apache-2.0

/// Demands 0...multiplicity of each of several sets, numbered in mixed radix; families of them are bitmaps.
struct DemandLattice {
    /// Words a bitmap.
    let words: Int
    private let strides: [Int]
    /// For each set, a bitmap of the demands that can be increased by one for it.
    private let capacity: [UInt64]

    init(_ multiplicities: [Int]) throws(PasswordRulesRefusal) {
        var strides: [Int] = []
        var points = 1
        for multiplicity in multiplicities {
            strides.append(points)
            points *= multiplicity + 1
            guard points <= PasswordRulesLimits.latticePoints else { throw .tooComplex(.demands) }
        }
        let words = (points + 63) / 64
        var capacity = [UInt64](repeating: 0, count: words * multiplicities.count)
        for (set, multiplicity) in multiplicities.enumerated() {
            for point in 0..<points where point / strides[set] % (multiplicity + 1) < multiplicity {
                capacity[set * words + point / 64] |= 1 << UInt64(point % 64)
            }
        }
        self.words = words
        self.strides = strides
        self.capacity = capacity
    }

    /// Adds a character of the sets in `mask`: with each demand that could be met, also those with one more for one
    /// of these sets. False where nothing more can be met.
    func add(_ mask: UInt8, to state: [UInt64], giving next: inout [UInt64]) -> Bool {
        state.withUnsafeBufferPointer { state in
            next.withUnsafeMutableBufferPointer { next in
                capacity.withUnsafeBufferPointer { capacity in
                    for word in 0..<words { next[word] = state[word] }
                    var rest = mask
                    while rest != 0 {
                        let set = rest.trailingZeroBitCount
                        rest &= rest &- 1
                        let (whole, component) = (strides[set] / 64, UInt64(strides[set] % 64))
                        let base = set &* words
                        if component == 0 {
                            for source in 0..<words - whole {
                                next[source &+ whole] |= state[source] & capacity[base &+ source]
                            }
                            continue
                        }
                        var carried: UInt64 = 0
                        for source in 0..<words - whole {
                            let bits = state[source] & capacity[base &+ source]
                            next[source &+ whole] |= bits &<< component | carried
                            carried = bits &>> (64 &- component)
                        }
                    }
                    for word in 0..<words where next[word] != state[word] { return true }
                    return false
                }
            }
        }
    }
}

/// Bitmaps and their numbers, by open addressing.
struct StateTable {
    private let words: Int
    private var storage: [UInt64] = []
    private var slots = [Int32](repeating: -1, count: 64)
    private(set) var count = 0

    init(words: Int) { self.words = words }

    func copy(_ index: Int, to bitmap: inout [UInt64]) {
        for word in 0..<words { bitmap[word] = storage[index &* words &+ word] }
    }

    /// The number of a bitmap; a new one gets the next number.
    mutating func index(of bitmap: [UInt64]) -> Int {
        if count * 2 >= slots.count { grow() }
        var slot = bitmap.withUnsafeBufferPointer(preferredSlot)
        while slots[slot] >= 0 {
            if equals(Int(slots[slot]), bitmap) { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(count)
        storage.append(contentsOf: bitmap)
        count += 1
        return count - 1
    }

    private func equals(_ cached: Int, _ bitmap: [UInt64]) -> Bool {
        storage.withUnsafeBufferPointer { storage in
            bitmap.withUnsafeBufferPointer { bitmap in
                for word in 0..<words where storage[cached &* words &+ word] != bitmap[word] { return false }
                return true
            }
        }
    }

    private func preferredSlot(_ bitmap: UnsafeBufferPointer<UInt64>) -> Int {
        // A sum of products, which do not wait for one another.
        var hash: UInt64 = 0
        var factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        for word in bitmap {
            hash &+= (word ^ word &>> 29) &* factor
            factor &+= 0xD1B5_4A32_D192_ED04
        }
        hash ^= hash &>> 32
        return Int(truncatingIfNeeded: hash &* 0x9E37_79B9_7F4A_7C15 &>> 32) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in 0..<count {
            var slot = storage.withUnsafeBufferPointer {
                preferredSlot(UnsafeBufferPointer(rebasing: $0[index * words..<(index + 1) * words]))
            }
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A set of events by their numbers.
struct EventSet: Hashable {
    private var bits: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        number / 64 < bits.count && bits[number / 64] >> UInt64(number % 64) & 1 == 1
    }

    mutating func insert(_ number: Int) {
        while bits.count <= number / 64 { bits.append(0) }
        bits[number / 64] |= 1 << UInt64(number % 64)
    }

    mutating func formUnion(_ other: EventSet) {
        while bits.count < other.bits.count { bits.append(0) }
        for (index, word) in other.bits.enumerated() { bits[index] |= word }
    }

    func subtracting(_ other: EventSet) -> EventSet {
        var result = self
        for (index, word) in other.bits.enumerated() where index < bits.count { result.bits[index] &= ~word }
        return result
    }

    func intersection(_ other: EventSet) -> EventSet { subtracting(subtracting(other)) }
}

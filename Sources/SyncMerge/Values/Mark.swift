// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The hash of a stamp, by which a deletion or a replacement names an element that it cancels.
///
/// It hashes the stamp and not the value: whoever finds it cannot try passwords that were purged. Marks are compared within one
/// record, and only members write them: FNV-1a with 64 bits, over the big-endian bytes of time, device, sequence and random bits.
package struct Mark: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(of stamp: Stamp) {
        var hash = FNV1a()
        hash.combine(UInt64(bitPattern: stamp.time.milliseconds))
        hash.combine(UInt64(truncatingIfNeeded: stamp.origin.device.rawValue >> 64))
        hash.combine(UInt64(truncatingIfNeeded: stamp.origin.device.rawValue))
        hash.combine(stamp.origin.sequence)
        hash.combine(stamp.random)
        rawValue = hash.value
    }

    package static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
}

// SPDX-License-Identifier: Apache-2.0

/// The random identifier of an epoch's key.
package struct EpochID: Hashable, Comparable, Sendable {
    package let rawValue: UInt128

    package init(rawValue: UInt128) { self.rawValue = rawValue }

    package static func < (left: EpochID, right: EpochID) -> Bool { left.rawValue < right.rawValue }
}

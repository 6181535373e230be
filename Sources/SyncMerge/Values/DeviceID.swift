// SPDX-License-Identifier: Apache-2.0

/// The random identifier of one machine's copy of the vault. A restored backup and a copied disk get a new one.
package struct DeviceID: Hashable, Comparable, Sendable {
    package let rawValue: UInt128

    package init(rawValue: UInt128) { self.rawValue = rawValue }

    /// Reads what `hexadecimal` returns.
    package init?(_ text: String) {
        guard let number = UInt128(hexadecimal: text) else { return nil }
        rawValue = number
    }

    /// As names and the wire have it: 32 digits.
    package var hexadecimal: String { rawValue.hexadecimal }

    /// The author of what was in a vault before sync was started: no device.
    package static let beforeSync = DeviceID(rawValue: 0)

    package static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}

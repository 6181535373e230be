// SPDX-License-Identifier: Apache-2.0

/// The random identifier of one machine's copy of the vault. A restored backup and a copied disk get a new one.
package struct DeviceID: Hashable, Comparable, Sendable {
    package let rawValue: UInt128

    package init(rawValue: UInt128) { self.rawValue = rawValue }

    /// Reads what `description` returns.
    package init?(_ text: String) {
        guard let number = UInt128(text, radix: 16) else { return nil }
        rawValue = number
        if description != text { return nil }
    }

    /// The author of what was in a vault before sync was started: no device.
    package static let beforeSync = DeviceID(rawValue: 0)

    package static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}

extension DeviceID: CustomStringConvertible {
    /// 32 lowercase hexadecimal digits.
    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge

/// Identifies a group of machines: a hash of its founding statement, so that nobody can give it another founder or recovery key.
package struct GroupID: Hashable, Sendable {
    package let rawValue: UInt128

    package init(rawValue: UInt128) { self.rawValue = rawValue }

    /// As names and the wire have it: 32 digits.
    package var hexadecimal: String { rawValue.hexadecimal }
}

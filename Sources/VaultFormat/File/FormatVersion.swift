// SPDX-License-Identifier: Apache-2.0

/// How the rows of a vault are sealed and found. The number is the vault's last migration, and a part of the purpose of each
/// sub-key: what was sealed in one format opens in no other.
package enum FormatVersion: UInt8, Comparable, CaseIterable, Sendable {
    /// Until autofilld 0.2: the second half of the blind index of items, verifiers and grants does not mix the scope in, and
    /// only their tags distinguish two sealings of one version.
    case first = 1
    /// Each sealing has a number, and equal names in two scopes have nothing in common.
    case second = 2

    /// What is written now.
    package static let present = FormatVersion.second

    package static func < (left: FormatVersion, right: FormatVersion) -> Bool { left.rawValue < right.rawValue }
}

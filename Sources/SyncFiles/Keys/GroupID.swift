// SPDX-License-Identifier: Apache-2.0

/// Identifies a group of machines: a hash of its founding statement, so that nobody can give it another founder or recovery key.
package struct GroupID: Hashable, Sendable {
    package let rawValue: UInt128

    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

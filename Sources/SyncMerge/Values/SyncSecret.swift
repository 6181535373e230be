// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A secret as a value: two with the same bytes are equal.
///
/// The bytes stay in locked memory and are compared in constant time. No digest takes their place: the order of two values with one
/// stamp has to be the same on every machine, and a keyed digest would need a key that all members have.
package struct SyncSecret: Comparable, Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: SecretBytes) { self.bytes = bytes }

    package static func == (left: SyncSecret, right: SyncSecret) -> Bool {
        left.bytes === right.bytes || left.bytes.equals(right.bytes)
    }

    /// Used only between two values that have the same stamp.
    package static func < (left: SyncSecret, right: SyncSecret) -> Bool {
        left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.lexicographicallyPrecedes($0) } }
    }
}

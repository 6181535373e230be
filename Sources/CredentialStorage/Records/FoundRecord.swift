// SPDX-License-Identifier: Apache-2.0

/// A record that was read, in memory of its own: a credential has some twenty references, and each copy retains them all.
package final class FoundRecord<Record: Sendable>: Sendable {
    package let record: Record

    package init(_ record: Record) { self.record = record }
}

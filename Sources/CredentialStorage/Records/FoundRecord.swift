// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

/// A record that was read, in memory of its own: a credential has some twenty references, and each copy retains them all.
package final class FoundRecord<Record: Sendable>: Sendable {
    package let record: Record

    package init(_ record: Record) { self.record = record }
}

extension FoundRecord where Record: VaultRecord {
    /// Reads the plain text of a row; nil where it is none.
    convenience init?(plain: UnsafeRawBufferPointer, of row: RecordRow) {
        guard let record = Record(plain: plain, id: row.id, version: row.version) else { return nil }
        self.init(record)
    }
}

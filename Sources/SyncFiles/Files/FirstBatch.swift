// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

/// The plain text of a file's first batch, which has the preface.
package struct FirstBatch {
    let preface: SyncFilePreface
    let entries: EntryReader
    package let operations: [SyncOperation]

    /// - Parameter limit: how many entries the file may have.
    package init(
        _ plain: UnsafeRawBufferPointer, of header: SyncFileHeader, upTo limit: Int = SyncFileLimits.entries
    ) throws(SyncFileError) {
        var reader = BinaryReader(plain)
        let table = DeviceTable(from: &reader)
        preface = try SyncFilePreface(from: &reader, table, header: header)
        var entries = EntryReader(table: table, upTo: limit)
        operations = try entries.operations(from: &reader, in: header)
        self.entries = entries
    }
}

extension EntryReader {
    /// The operations of a batch, all of which the file may contain.
    mutating func operations(
        from reader: inout BinaryReader, in header: SyncFileHeader
    ) throws(SyncFileError) -> [SyncOperation] {
        guard let operations = operations(from: &reader) else { throw .contentMalformed }
        guard count <= limit else { throw .tooManyEntries }
        for operation in operations where !header.mayContain(operation) { throw .originInvalid(operation.origin) }
        return operations
    }
}

extension SyncFileHeader {
    /// A file of changes contains what its writer published in its range, and what was before sync; a snapshot what others wrote too.
    fileprivate func mayContain(_ operation: SyncOperation) -> Bool {
        let origin = operation.origin
        if origin.device == device { return range.contains(origin.sequence) }
        return isSnapshot || origin == .beforeSync
    }
}

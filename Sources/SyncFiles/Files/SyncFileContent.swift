// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
package import SyncMerge
internal import VaultFormat

/// The content of a verified file, opened batch by batch: a large snapshot never lies in memory as a whole.
package struct SyncFileContent {
    /// What the file states of its writer, for `MergedFiles`.
    package let summary: FileSummary
    /// The user's name for the writer.
    package let deviceName: String
    /// The statements of the file.
    package var statements: [SignedStatement] { file.statements }
    private let file: SyncFile
    private let key: SecretBytes
    private var entries: EntryReader
    private var position = 0
    private var first: [SyncOperation]?

    init(_ file: SyncFile, key: SecretBytes) throws(SyncFileError) {
        let opened = try Self.open(0, of: file, key) { reader throws(SyncFileError) in
            let table = DeviceTable(from: &reader)
            let start = try SyncFilePreface(from: &reader, table, header: file.header)
            var entries = EntryReader(table: table)
            return (start, try Self.operations(&entries, &reader, file.header), entries)
        }
        (summary, deviceName) = (opened.0.summary(file.header), opened.0.deviceName)
        (first, entries) = (opened.1, opened.2)
        self.file = file
        self.key = key
    }

    /// The operations of the next batch; nil at the end.
    package mutating func next() throws(SyncFileError) -> [SyncOperation]? {
        defer { position += 1 }
        if let operations = first {
            first = nil
            return operations
        }
        guard position < file.batches.count else { return nil }
        var entries = entries
        let operations = try Self.open(position, of: file, key) { reader throws(SyncFileError) in
            try Self.operations(&entries, &reader, file.header)
        }
        self.entries = entries
        return operations
    }

    private static func operations(
        _ entries: inout EntryReader, _ reader: inout BinaryReader, _ header: SyncFileHeader
    ) throws(SyncFileError) -> [SyncOperation] {
        guard let operations = entries.operations(from: &reader) else { throw .contentMalformed }
        guard entries.count <= SyncFileLimits.entries else { throw .tooManyEntries }
        for operation in operations where !header.mayContain(operation) { throw .originInvalid(operation.origin) }
        return operations
    }

    private static func open<Value>(
        _ position: Int, of file: SyncFile, _ key: SecretBytes,
        _ body: (inout BinaryReader) throws(SyncFileError) -> Value
    ) throws(SyncFileError) -> Value {
        let associated = associated(position, file.clearDigest)
        let outcome = file.bytes[file.batches[position]].withUnsafeBytes { sealed in
            try? Sealing.open(sealed, key: key, associated: associated) { plain -> Result<Value, SyncFileError> in
                var reader = BinaryReader(plain)
                do throws(SyncFileError) { return .success(try body(&reader)) } catch { return .failure(error) }
            }
        }
        guard let outcome else { throw .sealBroken }
        return try outcome.get()
    }

    /// What the batch at a position is sealed with.
    static func associated(_ position: Int, _ clearDigest: [UInt8]) -> [UInt8] {
        clearDigest + withUnsafeBytes(of: UInt32(truncatingIfNeeded: position).bigEndian) { Array($0) }
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

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

    init(_ file: SyncFile, key: SecretBytes, upTo limit: Int) throws(SyncFileError) {
        let start = try Self.open(0, of: file, key) { plain throws(SyncFileError) in
            try FirstBatch(plain, of: file.header, upTo: limit)
        }
        (summary, deviceName) = (start.preface.summary(file.header), start.preface.deviceName)
        (first, entries) = (start.operations, start.entries)
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
        let operations = try Self.open(position, of: file, key) { plain throws(SyncFileError) in
            var reader = BinaryReader(plain)
            return try entries.operations(from: &reader, in: file.header)
        }
        self.entries = entries
        return operations
    }

    private static func open<Value>(
        _ position: Int, of file: SyncFile, _ key: SecretBytes,
        _ body: (UnsafeRawBufferPointer) throws(SyncFileError) -> Value
    ) throws(SyncFileError) -> Value {
        let associated = associated(position, file.clearDigest)
        let outcome = file.bytes[file.batches[position]].withUnsafeBytes { sealed in
            try? Sealing.open(sealed, key: key, associated: associated) { plain in
                Result { () throws(SyncFileError) in try body(plain) }
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

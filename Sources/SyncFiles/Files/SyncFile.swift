// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

/// A file of the folder, as far as it can be read without a key. Nothing in it can be relied on before `verified`.
package struct SyncFile: Sendable {
    package let header: SyncFileHeader
    /// In clear: a machine that is to open the file needs them to have its key.
    package let statements: [SignedStatement]
    let bytes: [UInt8]
    /// Where the sealed batches are in `bytes`.
    let batches: [Range<Int>]
    /// What each batch is sealed with: the hash of all that precedes the first.
    let clearDigest: [UInt8]

    /// - Parameters:
    ///   - name: that of the file, if it has one.
    ///   - device: in whose directory it is.
    package init(
        _ bytes: [UInt8], name: SyncFileName?, group: GroupID, device: DeviceID
    ) throws(SyncFileError) {
        guard bytes.count <= SyncFileLimits.fileBytes else { throw .tooLarge }
        if let name, name.hash != SyncFileName.hash(of: bytes) { throw .hashDiffers }
        let clear = try bytes.withUnsafeBytes { memory in
            Result { () throws(SyncFileError) in try Clear(memory) }
        }.get()
        header = clear.header
        statements = clear.statements
        batches = clear.batches
        clearDigest = SyncHash.digest(bytes[..<clear.count])
        self.bytes = bytes
        guard header.group == group else { throw .otherGroup }
        guard header.device == device else { throw .otherDevice }
        if let name {
            guard name.sequence == header.range.upperBound, name.isSnapshot == header.isSnapshot else {
                throw .nameDiffers
            }
        }
    }

    /// Checks that a member wrote it, and that it is one of the files of that member that count.
    package func verified(by members: MemberRegister) throws(SyncFileError) -> VerifiedSyncFile {
        guard let keys = members.publicKeys(of: header.device) else { throw .notAMember(header.device) }
        let end = bytes.count - Signature.byteCount
        guard keys.verify(bytes[end...], of: bytes[..<end], as: .file) else { throw .signatureInvalid }
        if let last = members.list.cuts[header.device] {
            guard header.range.upperBound <= last else { throw .removed(header.device) }
        } else if !members.list.contains(header.device) {
            throw .notAMember(header.device)
        }
        return VerifiedSyncFile(file: self)
    }

    /// The structure of the bytes.
    private struct Clear {
        let header: SyncFileHeader
        var statements: [SignedStatement] = []
        var batches: [Range<Int>] = []
        /// How many bytes precede the first batch.
        let count: Int

        init(_ memory: UnsafeRawBufferPointer) throws(SyncFileError) {
            var reader = BinaryReader(memory)
            header = try SyncFileHeader(from: &reader)
            let statementCount: UInt32 = reader.integer(), statementBytes: UInt32 = reader.integer()
            let batchCount: UInt32 = reader.integer()
            guard statementCount <= SyncFileLimits.statements else { throw .tooManyStatements }
            guard batchCount > 0 else { throw .headerMalformed }
            guard let clear = reader.take(Int(statementBytes)) else { throw .truncated }
            count = memory.count - reader.remaining
            var inner = BinaryReader(clear)
            for _ in 0..<statementCount {
                guard let statement = SignedStatement(from: &inner) else { throw .statementMalformed }
                statements.append(statement)
            }
            guard inner.remaining == 0 else { throw .statementMalformed }
            for _ in 0..<batchCount {
                let length: UInt32 = reader.integer(), start = memory.count - reader.remaining
                guard reader.take(Int(length)) != nil else { throw .truncated }
                batches.append(start..<start + Int(length))
            }
            guard reader.remaining >= Signature.byteCount else { throw .truncated }
            guard reader.remaining == Signature.byteCount else { throw .trailingBytes }
        }
    }
}

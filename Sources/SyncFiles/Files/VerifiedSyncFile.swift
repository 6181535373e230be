// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// A file that a member wrote and signed.
package struct VerifiedSyncFile: Sendable {
    private let file: SyncFile

    package var header: SyncFileHeader { file.header }

    init(file: SyncFile) { self.file = file }

    /// Begins to read the content.
    ///
    /// - Parameter limit: how many entries it may have.
    package func content(
        with key: EpochKey, upTo limit: Int = SyncFileLimits.entries
    ) throws(SyncFileError) -> SyncFileContent {
        guard key.id == header.epoch else { throw .otherEpoch(header.epoch) }
        return try SyncFileContent(file, key: key.fileKey(of: header.device, in: header.group), upTo: limit)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge

extension SyncFileWriter {
    /// One file in place of several files of changes of this machine, which covers also the gaps between them. What it replaces may be
    /// removed when it is in place. Nil where there is none.
    package func joined(
        _ files: [SyncFileContent], using entropy: inout any RandomNumberGenerator
    ) throws(JoinFailure) -> WrittenSyncFile? {
        guard let last = files.max(by: { $0.summary.range.upperBound < $1.summary.range.upperBound }) else {
            return nil
        }
        let first = files.map(\.summary.range.lowerBound).min() ?? last.summary.range.lowerBound
        var operations: [SyncOperation] = []
        for file in files {
            guard !file.summary.isSnapshot, file.summary.device == keys.publicKeys.device else { throw .notADelta }
            var file = file
            do throws(SyncFileError) {
                while let next = try file.next() { operations += next }
            } catch { throw .unreadable(error) }
        }
        do throws(KeyFailure) {
            return try delta(
                first...last.summary.range.upperBound, operations, vector: last.summary.vector,
                statements: Array(Set(files.flatMap(\.statements))), using: &entropy)
        } catch { throw .keys }
    }

    /// Why files cannot be joined.
    package enum JoinFailure: Error, Equatable {
        case notADelta
        case unreadable(SyncFileError)
        case keys
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What happens to a folder, or to a machine's files there, while the carriers that write them do not run.
enum FolderFault: CaseIterable {
    /// Files are cut to half of their size.
    case cut
    /// Files have the names of conflict copies alone.
    case renamed
    case emptied
    /// All machines' files are as they were when `SyncFolder.keepCopy` was called.
    case rolledBack

    /// - Parameter device: whose files some of it happens to: to each second one by chance.
    func happen(
        in folder: SyncFolder, to device: String, _ generator: inout some RandomNumberGenerator
    ) throws {
        let files = folder.files(of: device).sorted()
        switch self {
        case .cut:
            for file in files where Bool.random(using: &generator) {
                let content = try Data(contentsOf: URL(filePath: file))
                try content.prefix(content.count / 2).write(to: URL(filePath: file))
            }
        case .renamed:
            for file in files where !file.contains("conflict") && Bool.random(using: &generator) {
                try SyncFolder.makeConflictCopy(of: file)
            }
        case .emptied: for file in files { try FileManager.default.removeItem(atPath: file) }
        case .rolledBack:
            try folder.rollBack()
            try folder.keepCopy()
        }
    }
}

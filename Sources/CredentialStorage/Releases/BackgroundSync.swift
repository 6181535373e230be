// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import VaultFormat

/// Makes durable what was committed without waiting for the disk. Such a commit costs the event loop one write; the sync, which may
/// take long on a slow disk, runs on another thread.
package struct BackgroundSync: Sendable {
    let log: LogFile
    /// The last change that it makes durable.
    let mark: VaultMark

    /// Runs on any thread: it uses only the log's descriptor.
    package func run() throws(VaultError) {
        guard fdatasync(log.descriptor) == 0 else {
            let number = errno
            log.noteFailure()
            throw .system(number, path: log.path)
        }
        // What an earlier one could not write is not on the disk by this one.
        guard !log.hasFailed else { throw .failed(code: EIO) }
    }
}

extension RecordStore {
    /// For what was committed and is not recorded as the last change; nil where that is nothing. A mark that a power cut leaves must
    /// not be ahead of the vault, so it follows the sync.
    var backgroundSync: BackgroundSync? {
        guard file.directory != nil, let present = unlockedVault?.manifest?.mark, present != mark,
            let log = file.database?.log, log.isOpen
        else { return nil }
        return BackgroundSync(log: log, mark: present)
    }

    /// Records the change that was made durable, unless a later one is recorded already.
    func finish(_ sync: BackgroundSync) {
        guard let unlocked = unlockedVault, let present = unlocked.manifest?.mark, present.vaultID == sync.mark.vaultID,
            mark.map({ $0.vaultID != sync.mark.vaultID || $0.generation < sync.mark.generation }) ?? true,
            sync.mark.generation <= present.generation, sync.log === file.database?.log
        else { return }
        mark = sync.mark
        unlocked.releases.file?.put(sync.mark, unlocked.keys.marks, using: &entropy)
    }
}

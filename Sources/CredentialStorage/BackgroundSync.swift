// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Brings to the disk what was committed without waiting for it. A commit costs the event loop no more than a write then; the sync,
/// which a slow disk may take long for, is another thread's.
package struct BackgroundSync: Sendable {
    let log: LogFile
    /// The last change that it brings to the disk.
    let mark: VaultMark

    /// On any thread: it uses nothing of the vault but the log's descriptor.
    package func run() throws(VaultError) {
        guard fdatasync(log.descriptor) == 0 else { throw .system(errno, path: log.path) }
    }
}

extension Vault {
    /// For what was committed and is not marked as the last change; nil where that is nothing. A mark that a power cut leaves
    /// must not be ahead of the vault, so it follows on the sync.
    var backgroundSync: BackgroundSync? {
        guard location != .memory, let mark = unlockedParts?.manifest?.mark, mark != hold.mark,
            let log = hold.database?.log, log.isOpen
        else { return nil }
        return BackgroundSync(log: log, mark: mark)
    }

    /// Marks what was brought to the disk, unless something later is marked already. While nobody else uses the vault.
    package func finish(_ sync: BackgroundSync) {
        guard let parts = unlockedParts, let present = parts.manifest?.mark, present.vaultID == sync.mark.vaultID,
            hold.mark.map({ $0.vaultID != sync.mark.vaultID || $0.generation < sync.mark.generation }) ?? true,
            sync.mark.generation <= present.generation, sync.log === hold.database?.log
        else { return }
        hold.mark = sync.mark
        parts.releases.file?.put(sync.mark, parts.keys.marks, using: &entropy)
    }
}

/// The write-ahead log, open for syncs alone: SQLite writes it by a descriptor of its own. It is another one each time the vault's
/// file is opened.
final class LogFile: Sendable {
    let path: String
    let descriptor: Int32
    let identity: FileIdentity?

    init(at path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        identity = FileIdentity(of: path)
    }

    deinit { if isOpen { close(descriptor) } }

    /// Else each commit is to be durable by itself.
    var isOpen: Bool { descriptor >= 0 }
}

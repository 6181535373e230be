// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The write-ahead log, open for syncs only: SQLite writes it through its own descriptor. Opened again each time the vault's file
/// is opened.
package final class LogFile: Sendable {
    package let path: String
    package let descriptor: Int32
    let identity: FileIdentity?
    private let failed = Atomic<Bool>(false)

    /// - Parameter isNew: whether this process has written all that is in it, and synced it. A log that a process has left which was
    ///   killed, or could not write it back, may have what is not on the disk.
    init(at path: String, isNew: Bool) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        identity = FileIdentity(of: path)
        var status = stat()
        if !isNew, fstat(descriptor, &status) == 0, status.st_size > 0 { noteFailure() }
    }

    deinit { if isOpen { close(descriptor) } }

    /// False: each commit must be durable by itself.
    package var isOpen: Bool { descriptor >= 0 }

    /// Whether a sync has failed, or was not made, since it was written back last. The kernel takes for written what it could not
    /// write, and says so once: what is committed behind that does not survive a power cut until the log is written back.
    package var hasFailed: Bool { failed.load(ordering: .acquiring) }

    /// From any thread.
    package func noteFailure() { failed.store(true, ordering: .releasing) }

    /// All of it is in the database, and that on the disk.
    func noteWrittenBack() { failed.store(false, ordering: .releasing) }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The write-ahead log, open for syncs only: SQLite writes it through its own descriptor. Opened again each time the vault's file
/// is opened.
package final class LogFile: Sendable {
    package let path: String
    package let descriptor: Int32
    let identity: FileIdentity?

    init(at path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        identity = FileIdentity(of: path)
    }

    deinit { if isOpen { close(descriptor) } }

    /// False: each commit must be durable by itself.
    package var isOpen: Bool { descriptor >= 0 }
}

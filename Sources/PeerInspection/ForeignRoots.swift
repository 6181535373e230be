// SPDX-License-Identifier: Apache-2.0
internal import PeerIdentity
internal import Synchronization

/// Bounds how many threads read the root directories of processes that have mounts or a root of their own. Such a
/// directory can hang although it is in no FUSE mount: users can mount an overlay file system in namespaces of their own
/// (Linux 5.11), over directories that a program of theirs serves; only there the names of those can be resolved. A
/// caller with threads for such processes alone, which bounds them by mount namespace, does without.
final class ForeignRoots: Sendable {
    /// As many as read at once while none hangs; fewer than a lane of the worker pool may have stuck.
    static let mostReaders = 3

    private let readers = Mutex(0)

    /// Throws `late` at once where so many read or hang.
    func read<Answer>(_ body: () -> Answer) throws(PeerRefusal) -> Answer {
        let isFree = readers.withLock { readers in
            guard readers < Self.mostReaders else { return false }
            readers += 1
            return true
        }
        guard isFree else { throw .late }
        defer { readers.withLock { $0 -= 1 } }
        return body()
    }
}

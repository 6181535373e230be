// SPDX-License-Identifier: Apache-2.0
internal import PeerIdentity
internal import Synchronization

/// Bounds how many threads read the root directories of processes that have mounts or a root of their own. Such a
/// directory can hang although it is in no FUSE mount: users can mount an overlay file system in namespaces of their own
/// (Linux 5.11), over directories that a program of theirs serves; only there the names of those can be resolved. They are
/// counted for what their systemd units are named after: a program in a sandbox can make any number of mount namespaces,
/// but no unit of another name.
final class ForeignRoots: Sendable {
    /// Fewer than a lane of the worker pool may have stuck: threads for other processes may run such an inspection, too,
    /// where a process leaves our mounts just before it.
    static let mostReaders = 7
    /// The same of one unit: more than read at once while none hangs.
    static let mostReadersOfUnit = 3

    private let readers = Mutex<[String: Int]>([:])

    /// Throws `late` at once where so many read or hang.
    ///
    /// - Parameter unit: empty for all processes without one.
    func read<Answer>(of unit: String, _ body: () -> Answer) throws(PeerRefusal) -> Answer {
        let isFree = readers.withLock { readers in
            let all = readers.values.reduce(0, +)
            guard all < Self.mostReaders, readers[unit, default: 0] < Self.mostReadersOfUnit else { return false }
            readers[unit, default: 0] += 1
            return true
        }
        guard isFree else { throw .late }
        defer {
            readers.withLock { readers in
                let count = readers[unit, default: 1] - 1
                readers[unit] = count > 0 ? count : nil
            }
        }
        return body()
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection
package import PeerIdentity

extension PeerInspector {
    /// Identifies the process of a pidfd that a delegate handed over. It ran from before the inspection until after it.
    ///
    /// - Parameter pidfd: remains the caller's.
    package func inspect(pidfd: Int32) throws(PeerRefusal) -> InspectedPeer {
        let own = fcntl(pidfd, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw errno == EBADF ? .notAProcess : .fault(operation: "F_DUPFD_CLOEXEC", errno: errno) }
        let descriptor = Descriptor(number: own)
        let process = try Self.process(of: descriptor.number)
        return try inspect(at: try Self.credentials(of: process), pidfd: descriptor, isHandedOver: true)
    }

    /// As `ownNamespaces(process:)`, for the process of a pidfd; nil where it is of none that can be inspected.
    package func ownNamespaces(pidfd: Int32) -> String? {
        (try? Self.process(of: pidfd)).flatMap { ownNamespaces(process: $0) }
    }

    /// The number of the process of a pidfd, as this process's namespace counts.
    private static func process(of pidfd: Int32) throws(PeerRefusal) -> Int32 {
        // A file's link begins with a slash; Linux 6.9 wrote `pidfd:[NUMBER]` for a while.
        let link = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            count = max(0, af_read_link(AT_FDCWD, "/proc/self/fd/\(pidfd)", buffer.baseAddress, buffer.count))
        }
        guard link.elementsEqual("anon_inode:[pidfd]".utf8) || link.starts(with: "pidfd:[".utf8),
            let facts = try? Descriptor.open("/proc/self/fdinfo/\(pidfd)", O_RDONLY).read(atMost: 4096),
            let process = ProcessStatus.numbers(of: "Pid", in: facts)?.first
        else { throw .notAProcess }
        switch process {
        case 1...Int64(Int32.max): return Int32(process)
        case 0: throw .invisible
        default: throw .ended
        }
    }

    /// The user of a process: all four user IDs must be equal; a program with another user's rights is refused.
    static func credentials(of process: Int32) throws(PeerRefusal) -> af_credentials {
        guard let status = try? Descriptor.open("/proc/\(process)/status", O_RDONLY).read(atMost: 16 << 10),
            let users = ProcessStatus.numbers(of: "Uid", in: status), users.count == 4,
            let groups = ProcessStatus.numbers(of: "Gid", in: status), groups.count == 4,
            let leader = ProcessStatus.numbers(of: "Tgid", in: status)?.first
        else { throw .ended }
        guard leader == process else { throw .notAProcess }
        guard Set(users).count == 1 else { throw .otherUser(UInt32(truncatingIfNeeded: users[1])) }
        return af_credentials(
            pid: process, uid: UInt32(truncatingIfNeeded: users[1]), gid: UInt32(truncatingIfNeeded: groups[1]))
    }
}

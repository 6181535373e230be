// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// The mount by which a file was opened, valid while a descriptor of it is open: numbers of mounts are reused.
package struct Mount: Hashable, Sendable {
    private let device: UInt64
    /// As in `/proc/self/mountinfo`; 0 before Linux 5.8.
    private let number: UInt64

    init(_ file: af_file) {
        device = file.device
        number = file.mount
    }

    /// Which program serves the files of a file system.
    package enum Server: Hashable, Sendable {
        /// The kernel, or a program that root chose.
        case system
        /// A program of a user's (FUSE), which may report any owner, return different content at each reading, and
        /// never answer.
        case program
        /// The mount is none of those that the process sees, or none of those that were read.
        case unknown
    }

    /// Which program serves it. The server itself is not called.
    ///
    /// - Parameters:
    ///   - descriptor: a file that was opened by this mount.
    ///   - process: the `/proc/PID` of the process whose mounts it is one of; this process's where it is nil.
    ///   - readsAll: whether more than the first MiB of their list is read: not where a sandbox may have made it.
    package func server(
        of descriptor: Descriptor, seenBy process: Descriptor? = nil, readsAll: Bool = true
    ) -> Server {
        var file = af_file()
        (file.device, file.mount) = (device, number)
        switch af_is_fuse(descriptor.number, &file, process?.number ?? -1, readsAll) {
        case 0: return .system
        case 1: return .program
        default: return .unknown
        }
    }

    /// Whether it is none of the mounts that a process sees: that process has no path to a file in it. Reads the whole
    /// list: for a process with our mounts.
    ///
    /// - Parameter process: its `/proc/PID`.
    package func isForeign(to process: Descriptor) -> Bool {
        var file = af_file()
        (file.device, file.mount) = (device, number)
        return af_mount_is_foreign(&file, process.number, true)
    }
}

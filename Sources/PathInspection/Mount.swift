// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// The mount by which a file was reached, as long as a descriptor of it is open: numbers of mounts are given anew.
package struct Mount: Hashable, Sendable {
    private let device: UInt64
    /// As in `/proc/self/mountinfo`; 0 before Linux 5.8.
    private let number: UInt64

    init(_ file: af_file) {
        device = file.device
        number = file.mount
    }

    /// Who answers for what lies in a file system.
    package enum Server: Hashable, Sendable {
        /// The kernel, or whoever root chose.
        case system
        /// A program of a user's (FUSE), which may tell any owner, show other content at each reading, and never answer.
        case program
        /// The mount is none of those that the process sees.
        case unknown
    }

    /// Who serves it. The server itself is not asked.
    ///
    /// - Parameters:
    ///   - descriptor: what was reached by this mount.
    ///   - process: the `/proc/PID` of the process whose mounts it is one of; this process's where it is nil.
    package func server(of descriptor: Descriptor, seenBy process: Descriptor? = nil) -> Server {
        var file = af_file()
        (file.device, file.mount) = (device, number)
        switch af_is_fuse(descriptor.number, &file, process?.number ?? -1) {
        case 0: return .system
        case 1: return .program
        default: return .unknown
        }
    }

    /// Whether it is none of those that a process sees: what was reached by it lies nowhere for that process.
    ///
    /// - Parameter process: its `/proc/PID`.
    package func isForeign(to process: Descriptor) -> Bool {
        var file = af_file()
        (file.device, file.mount) = (device, number)
        return af_mount_is_foreign(&file, process.number)
    }
}

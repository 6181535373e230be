// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The value of errno.
package struct SystemCallFailure: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32 = errno) { self.code = code }

    package var isMissing: Bool { code == ENOENT }

    /// Whether the same may succeed later without any change of the files: it does not concern the path.
    package var mayPass: Bool {
        ![ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, Self.served.code].contains(code)
    }

    /// What a walk ends with that was not to enter a file system that a program of the user's serves.
    package static let served = SystemCallFailure(code: EREMOTE)

    package var message: String { String(cString: strerror(code)) }

    package var fix: String {
        switch code {
        case ENOENT, ENOTDIR: "Check the path."
        case EACCES, EPERM: "Check the permissions of the file and of the directories above it."
        case ELOOP: "Remove the circle of symbolic links."
        case ENAMETOOLONG: "Choose a shorter path, with fewer components and links."
        case ENOSPC, EDQUOT: "Free space on the disk."
        case EROFS: "Choose a location that can be written."
        default: "Check the file system."
        }
    }
}

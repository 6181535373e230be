// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What errno said.
struct SystemCallFailure: Error, Hashable {
    let code: Int32

    init(code: Int32 = errno) { self.code = code }

    var isMissing: Bool { code == ENOENT }

    var message: String { String(cString: strerror(code)) }

    var fix: String {
        switch code {
        case ENOENT, ENOTDIR: "Check the path."
        case EACCES, EPERM: "Check the permissions of the file and of the directories above it."
        case ELOOP: "Remove the circle of symbolic links."
        case ENAMETOOLONG: "Choose a shorter name."
        case ENOSPC, EDQUOT: "Make room on the disk."
        case EROFS: "Choose a place that can be written."
        default: "Check the file system."
        }
    }
}

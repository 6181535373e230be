// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the kernel says of a file, link or directory: enough to judge who can write it and to notice that it changed.
struct FileFacts: Hashable, Sendable {
    let device: UInt
    let inode: UInt
    let userID: UInt32
    let groupID: UInt32
    let mode: UInt32
    let size: Int
    /// Nanoseconds since 1970.
    let modified: Int64
    let changed: Int64

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        userID = status.st_uid
        groupID = status.st_gid
        mode = status.st_mode
        size = status.st_size
        modified = status.st_mtim.nanoseconds
        changed = status.st_ctim.nanoseconds
    }

    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Whether it is the same one, of the same owner and with the same permissions. Of a directory on the way only this
    /// matters, not what else happens in it.
    func isSame(as other: FileFacts) -> Bool {
        (device, inode, userID, groupID, mode) == (other.device, other.inode, other.userID, other.groupID, other.mode)
    }
}

extension timespec {
    /// Since 1970; at its ends, the years 1677 and 2262, it stays: files may bear any time.
    var nanoseconds: Int64 {
        let (seconds, isBeyond) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFurther) = seconds.addingReportingOverflow(Int64(tv_nsec))
        return isBeyond || isFurther ? (tv_sec < 0 ? .min : .max) : sum
    }
}

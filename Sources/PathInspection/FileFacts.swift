// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// The kernel's data about a file, link or directory: enough to determine which users can write it and whether it
/// changed.
package struct FileFacts: Hashable, Sendable {
    package var device: UInt64 = 0
    package var inode: UInt64 = 0
    package var userID: UInt32 = 0
    package var groupID: UInt32 = 0
    /// The kind and the permissions, as in inode(7).
    package var mode: UInt32 = 0
    /// Bytes.
    package var size: UInt64 = 0
    /// Nanoseconds since 1970, of the last writing (mtime).
    package var modified: Int64 = 0
    /// Nanoseconds since 1970, of the last change of anything about the file (ctime): no program can set it back.
    package var changed: Int64 = 0

    /// Nanoseconds: longer than the time in which two changes of a file may leave the same times. Before Linux 6.13 these
    /// are of the last timer interrupt, and those are 10 ms apart at most: twice the coarsest tick.
    package static let timeStep: Int64 = 20_000_000

    package init() {}

    init(_ file: af_file) {
        device = file.device
        inode = file.inode
        userID = file.owner
        groupID = file.group
        mode = file.mode
        size = file.size
        modified = file.modified
        changed = file.changed
    }

    package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    package var isLink: Bool { mode & S_IFMT == S_IFLNK }
    package var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Whether both are the same file, link or directory, whatever has become of it in between.
    package func isSameFile(as other: FileFacts) -> Bool { (device, inode) == (other.device, other.inode) }

    /// Whether it is the same one, of the same owner and with the same permissions. Of a directory on the way only this
    /// matters, not what else happens in it.
    package func isSame(as other: FileFacts) -> Bool {
        isSameFile(as: other) && (userID, groupID, mode) == (other.userID, other.groupID, other.mode)
    }

    /// Whether root owns it and neither its group nor others may write to it. (An access list shows as the group's
    /// permission. Anybody may write to a link, which has no effect.)
    package var isRootsAlone: Bool { userID == 0 && (isLink || mode & (S_IWGRP | S_IWOTH) == 0) }
}

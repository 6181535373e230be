// SPDX-License-Identifier: Apache-2.0

/// The identity of an executable file, which changes when it is overwritten. Never the link's text.
package struct ExecutableIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: UInt64
    /// Nanoseconds since 1970.
    package let modified: Int64

    package init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    /// Whether both are the same file, whatever was written into it in between.
    package func isSameFile(as other: ExecutableIdentity) -> Bool {
        device == other.device && inode == other.inode
    }
}

/// One version of a file: unchanged until it is written; only then its content is read again.
package struct ContentVersion: Hashable, Sendable {
    package let identity: ExecutableIdentity
    /// Nanoseconds since 1970, of the last change of anything about the file (ctime): no program can set it back.
    package let changed: Int64

    package init(identity: ExecutableIdentity, changed: Int64) {
        self.identity = identity
        self.changed = changed
    }
}

/// The file that a process runs, as the kernel's link to it was opened, and what that file is in our own view.
package struct ExecutableFile: Hashable, Sendable {
    package enum Location: Hashable, Sendable {
        /// At its path; root owns the file and every directory above, and no other user may write to any of them.
        case rootOwned
        /// At its path, which a user other than root can change.
        case userOwned
        /// In a file system that a program of the user's serves (FUSE): it may report any owner, and return different
        /// content at each reading. Neither its path nor its content is inspected.
        case served
        /// Another file is at its path now.
        case replaced
        /// No file is at its path any more.
        case deleted
        /// It runs in a mount namespace of its own, and its path names nothing, or another file, in ours.
        case elsewhere
    }

    /// The link's text, made printable; proof of nothing unless `location` states that the file is there.
    package let path: String
    package let identity: ExecutableIdentity
    /// The owner of the file.
    package let owner: UInt32
    package let location: Location
    /// The kind of programs that it can be made to run, when it is not a program of one purpose.
    package let interpreter: Interpreter?
    /// Whether it lies in the mounted image of an AppImage, whose path differs at every start.
    package let isAppImage: Bool
    /// When anything about the file was last changed, as in `ContentVersion`.
    package let changed: Int64

    package init(
        path: String, identity: ExecutableIdentity, owner: UInt32, location: Location, interpreter: Interpreter? = nil,
        isAppImage: Bool = false, changed: Int64 = 0
    ) {
        self.path = path
        self.identity = identity
        self.owner = owner
        self.location = location
        self.interpreter = interpreter
        self.isAppImage = isAppImage
        self.changed = changed
    }

    /// The same file of a process whose requests another program may make too: its content does not determine them.
    var sharingItsRequests: ExecutableFile {
        ExecutableFile(
            path: path, identity: identity, owner: owner, location: location, interpreter: interpreter ?? .shared,
            isAppImage: isAppImage, changed: changed)
    }

    package var version: ContentVersion { ContentVersion(identity: identity, changed: changed) }
}

// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection

/// Which users could have written a file, determined from the file and from every directory and link on its path.
struct FileTrust: Sendable {
    /// The user whose files are accepted besides root's.
    let userID: UInt32

    /// Root's where only root can change the file, which is last, and everything on its path, a sticky directory not
    /// excepted; else the user's, where only root and the user could have written it; else refused.
    func owner(of way: [PathWalk.Point]) throws(FileTrustError) -> Registration.Owner {
        if way.allSatisfy(\.isRootsAlone) { return .root }
        try check(way)
        return .user
    }

    /// Refuses a path that another user could have redirected.
    func check(_ way: [PathWalk.Point]) throws(FileTrustError) {
        for point in way {
            let facts = point.facts
            guard facts.userID == 0 || facts.userID == userID else {
                throw .foreign(path: point.path, owner: facts.userID)
            }
            guard facts.isLink || facts.isSticky || !facts.isWritable(by: strangers(of: facts)) else {
                throw .writable(path: point.path)
            }
        }
    }

    /// The permission bits that let others in. A group with the user's own number has no other member, by the
    /// convention that pam_umask(8) calls usergroups; under it home directories are writable by the group.
    private func strangers(of facts: FileFacts) -> UInt32 {
        userID != 0 && facts.groupID == userID ? S_IWOTH : S_IWGRP | S_IWOTH
    }
}

extension FileFacts {
    fileprivate func isWritable(by bits: UInt32) -> Bool { mode & bits != 0 }

    /// A directory where everybody may add, but only the owner replace.
    fileprivate var isSticky: Bool { isDirectory && mode & S_ISVTX != 0 }
}

/// Why a file is refused.
enum FileTrustError: Explained, Hashable {
    case foreign(path: String, owner: UInt32)
    case writable(path: String)

    var reason: String {
        switch self {
        case .foreign(let path, let owner): "\(path.quoted) belongs to another user (uid \(owner))."
        case .writable(let path): "Other users can write \(path.quoted)."
        }
    }

    var fix: String {
        switch self {
        case .foreign(let path, _): "Change its owner to the user or to root: chown \(path.quoted)."
        case .writable(let path): "Revoke that permission: chmod go-w \(path.quoted)."
        }
    }
}

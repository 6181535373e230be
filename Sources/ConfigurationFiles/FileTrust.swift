// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection

/// Who could have written a file, judged from the file and from everything on the way to it.
struct FileTrust: Sendable {
    /// The user whose files are taken besides root's.
    let userID: UInt32

    /// Root's where root alone decides what the file, which comes last, and all on the way to it are, a sticky directory
    /// not excepted; else the user's, where nobody but root and the user could have put it there; else refused.
    func owner(of way: [PathWalk.Point]) throws(FileTrustError) -> Registration.Owner {
        if way.allSatisfy(\.isRootsAlone) { return .root }
        try check(way)
        return .user
    }

    /// Refuses a way that another user could have turned elsewhere.
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

    /// The permission bits that let others in. A group of the user's own number is the user's alone, by the convention
    /// that pam_umask(8) calls usergroups; under it home directories are writable by the group.
    private func strangers(of facts: FileFacts) -> UInt32 {
        userID != 0 && facts.groupID == userID ? S_IWOTH : S_IWGRP | S_IWOTH
    }
}

extension FileFacts {
    fileprivate func isWritable(by bits: UInt32) -> Bool { mode & bits != 0 }

    /// A directory where everybody may add, but only the owner replace.
    fileprivate var isSticky: Bool { isDirectory && mode & S_ISVTX != 0 }
}

/// Why a file is not taken.
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
        case .foreign(let path, _): "Give it to the user or to root: chown \(path.quoted)."
        case .writable(let path): "Take that away: chmod go-w \(path.quoted)."
        }
    }
}

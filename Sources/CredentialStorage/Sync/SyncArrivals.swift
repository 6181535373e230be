// SPDX-License-Identifier: Apache-2.0
internal import SyncFiles
package import SyncMerge

/// What the caller of `StoredSync.mergeArrived` keeps between its calls, in memory alone: the file that is being merged, and those that
/// cannot be merged yet. A new value begins again.
package struct SyncArrivals: Sendable {
    /// What was found in the spool; the last is the next.
    var queue: [ArrivedFile] = []
    /// A large file of which some batches are merged.
    var current: (file: ArrivedFile, merging: StoredSync.Merging)?
    /// What could not be merged, of machines that are not known to be members or sealed with a key that is not known, and
    /// how many statements were known then: it is tried again when there are more.
    var waiting: [ArrivedFile: Int] = [:]
    /// A member knows that an id of this machine was removed, and not the one that it has now: so this machine was removed.
    var isUnknown = false
    /// How many files of each device are there that are malformed, and are not merged.
    package internal(set) var malformed: [DeviceID: Int] = [:]

    package init() {}

    /// A file is merged, or is not to be.
    mutating func finish(_ file: ArrivedFile) {
        current = nil
        waiting[file] = nil
        if queue.last == file { queue.removeLast() } else { queue.removeAll { $0 == file } }
    }

    /// A file by its place.
    struct ArrivedFile: Hashable {
        let name: SyncFileName
        let device: DeviceID
    }
}

/// What one call of `StoredSync.mergeArrived` has done.
package struct ArrivedChanges: Sendable {
    /// The credentials of this vault that changed.
    package internal(set) var saved: [Saved] = []
    /// Whether there is more to merge now.
    package internal(set) var hasMore = false
    /// Why nothing is merged, though there may be something.
    package internal(set) var problem: Problem?

    package enum Problem: Sendable, Equatable {
        /// A machine of the group has a newer autofilld: this one has to be updated.
        case update
        /// This machine was removed from the group.
        case removed
    }
}

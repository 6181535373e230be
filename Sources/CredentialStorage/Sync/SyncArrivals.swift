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
    /// What has more than is accepted of one file. Its bytes have its name, and the limits are constants: it is never tried again.
    var excessive: [ArrivedFile: SyncFailure.Limit] = [:]
    /// What was opened of what is there, also before this value began again: by it two files of one sequence are noticed.
    private(set) var opened: [TwinFiles: [(name: SyncFileName, range: ClosedRange<UInt64>)]] = [:]
    /// A member knows that an id of this machine was removed, and not the one that it has now: so this machine was removed.
    var isUnknown = false
    /// How many files of each device are there that are malformed, and are not merged.
    package internal(set) var malformed: [DeviceID: Int] = [:]
    /// What copies of other machines have written.
    package private(set) var twins: Set<TwinFiles> = []

    package init() {}

    /// A new value, which has only what was opened and what is never merged.
    package var begunAgain: SyncArrivals {
        var new = SyncArrivals()
        (new.opened, new.excessive) = (opened, excessive)
        return new
    }

    /// Begins again where everything is merged again. What copies have written stays.
    mutating func mergeAllAgain() {
        let twins = twins
        self = begunAgain
        self.twins = twins
    }

    /// Forgets what was opened of files that are not there any more.
    mutating func keep(_ present: Set<ArrivedFile>) {
        for (files, former) in opened {
            let left = former.filter { present.contains(ArrivedFile(name: $0.name, device: files.device)) }
            if left.count < former.count { opened[files] = left.isEmpty ? nil : left }
        }
    }

    /// The limit for which files wait; nil: for none.
    var limit: SyncFailure.Limit? { SyncFailure.Limit.allCases.first { excessive.values.contains($0) } }

    /// Notes a file that is to be merged. A joined file has the last sequence of what it joins, with what that one has stated, and
    /// covers more; no other two files have one sequence.
    ///
    /// - Parameter stated: what a file of this sequence has stated that was merged before; nil where none was, or that is not known.
    mutating func note(_ name: SyncFileName, _ file: FileSummary, stated: VersionVector?) {
        let files = TwinFiles(device: file.device, sequence: name.sequence)
        let isOther = opened[files]?.contains { former in
            former.name.hash != name.hash
                && (former.name.isSnapshot || name.isSnapshot || former.range == file.range)
        }
        if isOther == true || stated.map({ $0 != file.vector }) == true { twins.insert(files) }
        if opened[files]?.contains(where: { $0.name == name }) != true {
            opened[files, default: []].append((name, file.range))
        }
    }

    /// A file is merged, or is not to be.
    mutating func finish(_ file: ArrivedFile) {
        current = nil
        (waiting[file], excessive[file]) = (nil, nil)
        if queue.last == file { queue.removeLast() } else { queue.removeAll { $0 == file } }
    }

    /// A file by its place.
    struct ArrivedFile: Hashable {
        let name: SyncFileName
        let device: DeviceID
    }
}

/// Two different files of one machine with one sequence: something else writes under its id. Both are merged.
package struct TwinFiles: Hashable, Sendable {
    package let device: DeviceID
    package let sequence: UInt64
}

/// What one call of `StoredSync.mergeArrived` has done.
package struct ArrivedChanges: Sendable {
    /// Whether there is more to merge now.
    package internal(set) var hasMore = false
    /// Why nothing is merged, though there may be something.
    package internal(set) var problem: Problem?

    package enum Problem: Sendable, Equatable {
        /// A machine of the group has a newer autofilld: this one has to be updated.
        case update
        /// This machine was removed from the group.
        case removed
        /// A file has more than is accepted of one. It is kept, and all others are merged.
        case limit(SyncFailure.Limit)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A class of work that blocks. Each has threads of its own, so none waits for another.
package enum WorkLane: Int, CaseIterable, Sendable {
    case keyDerivation
    /// Long work on the vault, one at a time.
    case vault
    /// Inspects files and processes, which a hung file system may block for ever.
    case files
    /// Inspects processes with mounts or users of their own: those can make that take long, and a hung file system may
    /// block it for ever. No inspection of another process waits for it.
    case sandboxes
    /// Reads the directories of registrations and the data about sites, one at a time: where one hangs no other can be
    /// read, and inspections of processes and files do not wait for it.
    case registrations
    /// Reading whole files, one at a time.
    case hashing
    /// Counting the passwords that costly rules leave, one at a time. Its threads yield to all others.
    case rules
    /// Syncs of a disk, one at a time: long work on the vault delays none.
    case sync
    /// Closes descriptors that clients passed, which a hung file system may block for ever.
    case descriptors

    /// Whether its threads yield to all others: it computes for a long time, and the loop has to run meanwhile.
    ///
    /// They have a higher nice value, and not the policy SCHED_IDLE or the nice value 19: all threads use one heap, and a
    /// thread that holds its lock and gets no processor time blocks the loop, for seconds on a busy machine.
    var isBackground: Bool { self == .rules }
}

/// How much one lane may have.
package struct WorkLimits: Hashable, Sendable {
    /// Threads that work, without those that are stuck.
    package let running: Int
    /// Threads whose work exceeded its deadline. With so many the lane refuses all work until one returns; work about one
    /// subject has no more of them than `running`.
    package let stuck: Int
    /// Work that waits for a thread.
    package let waiting: Int

    package init(running: Int, stuck: Int, waiting: Int) {
        self.running = running
        self.stuck = stuck
        self.waiting = waiting
    }

    package static func standard(_ lane: WorkLane) -> WorkLimits {
        switch lane {
        case .keyDerivation, .vault, .rules, .sync: WorkLimits(running: 1, stuck: 1, waiting: 64)
        case .registrations: WorkLimits(running: 1, stuck: 1, waiting: 4096)
        case .files, .sandboxes: WorkLimits(running: 2, stuck: 8, waiting: 4096)
        case .hashing: WorkLimits(running: 1, stuck: 4, waiting: 4096)
        case .descriptors: WorkLimits(running: 1, stuck: 4, waiting: 1)
        }
    }
}

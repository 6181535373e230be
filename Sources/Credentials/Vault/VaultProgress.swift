// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The progress of long work on the whole vault, and whether it is to stop: shared by the thread that works and those that
/// observe it.
package final class VaultProgress: Sendable {
    /// So many of so many records or pages; `all` is 0 while that is not determined.
    package struct Count: Hashable, Sendable {
        package var done = 0
        package var all = 0
    }

    private let state = Mutex((count: Count(), isCancelled: false, isPastStops: false))

    package init() {}

    package var count: Count { state.withLock { $0.count } }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the work where that loses nothing: it throws `cancelled`, and nothing has changed.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// A change was made that stays: the work continues to its end, also when it is cancelled.
    package func passLastStop() { state.withLock { $0.isPastStops = true } }

    /// Throws `cancelled` where it is to stop.
    package func checkStop() throws(VaultError) {
        let stops = state.withLock { $0.isCancelled && !$0.isPastStops }
        if stops { throw .cancelled }
    }

    /// Records the progress. Throws `cancelled` where it is to stop.
    package func advance(to done: Int, of all: Int) throws(VaultError) {
        let stops = state.withLock { state in
            state.count = Count(done: done, all: all)
            return state.isCancelled && !state.isPastStops
        }
        if stops { throw .cancelled }
    }

    /// One more record, of as many as were given before.
    package func advance() throws(VaultError) {
        let stops = state.withLock { state in
            state.count.done += 1
            return state.isCancelled && !state.isPastStops
        }
        if stops { throw .cancelled }
    }
}

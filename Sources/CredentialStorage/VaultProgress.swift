// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How far long work on the whole vault has come, and whether it is to stop: shared by the thread that works and those that
/// look on.
package final class VaultProgress: Sendable {
    /// So many of so many records or pages; `all` is 0 while that is not known.
    package struct Count: Hashable, Sendable {
        package var done = 0
        package var all = 0
    }

    private let state = Mutex((count: Count(), isCancelled: false, isPastStops: false))

    package init() {}

    package var count: Count { state.withLock { $0.count } }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Has the work stop where that loses nothing: it throws `cancelled`, and nothing has changed.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Something was done that stays: the work goes on to its end, whoever wants it stopped.
    func passLastStop() { state.withLock { $0.isPastStops = true } }

    /// Throws `cancelled` where it is to stop.
    func checkStop() throws(VaultError) {
        let stops = state.withLock { $0.isCancelled && !$0.isPastStops }
        if stops { throw .cancelled }
    }

    /// Notes how far it is. Throws `cancelled` where it is to stop.
    func advance(to done: Int, of all: Int) throws(VaultError) {
        let stops = state.withLock { state in
            state.count = Count(done: done, all: all)
            return state.isCancelled && !state.isPastStops
        }
        if stops { throw .cancelled }
    }

    /// One more record, of as many as were said before.
    func advance() throws(VaultError) {
        let stops = state.withLock { state in
            state.count.done += 1
            return state.isCancelled && !state.isPastStops
        }
        if stops { throw .cancelled }
    }
}

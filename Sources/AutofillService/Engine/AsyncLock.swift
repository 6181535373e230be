// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Admits one task at a time: those of different quota keys alternately, those of one key in the order in which they came, and
/// some before all others.
package final class AsyncLock {
    private struct Waiter {
        let key: String
        let isFirst: Bool
        /// How many of its key are before it, the one that holds the lock included.
        var rank: Int
        let wait: Wait<Void>
    }

    private let loop: EventLoop
    /// The key of the task that holds the lock.
    private var holder: String?
    private var waiting: [Waiter] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// Waits for the lock; false where the task was cancelled before, or the deadline has passed. The task that holds the lock
    /// calls `leave` afterwards.
    package func enter(as key: String = "", isFirst: Bool = false, until deadline: Instant? = nil) async -> Bool {
        guard holder != nil else {
            holder = key
            return true
        }
        let rank = (holder == key ? 1 : 0) + waiting.count { $0.key == key }
        let waiter = Waiter(key: key, isFirst: isFirst, rank: rank, wait: Wait(on: loop))
        waiting.insert(waiter, at: waiting.firstIndex { isFirst || !$0.isFirst && $0.rank > rank } ?? waiting.count)
        do throws(WaitFailure) {
            try await waiter.wait.value(until: deadline)
            return true
        } catch {
            if let index = waiting.firstIndex(where: { $0.wait === waiter.wait }) { remove(at: index) }
            return false
        }
    }

    package func leave() {
        if let holder { advance(holder) }
        holder = nil
        while let next = waiting.first {
            waiting.removeFirst()
            guard next.wait.resume() else {
                advance(next.key)
                continue
            }
            holder = next.key
            return
        }
    }

    private func remove(at index: Int) {
        let removed = waiting.remove(at: index)
        for later in waiting.indices where waiting[later].key == removed.key && waiting[later].rank > removed.rank {
            waiting[later].rank -= 1
        }
    }

    /// One of the key has left.
    private func advance(_ key: String) {
        for index in waiting.indices where waiting[index].key == key { waiting[index].rank -= 1 }
    }
}

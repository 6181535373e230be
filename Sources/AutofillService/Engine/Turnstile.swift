// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Lets one task through at a time: those of different accounts by turns, each account's in the order in which they came, and
/// some before all others.
final class Turnstile {
    private struct Place {
        let account: String
        let isFirst: Bool
        /// How many of its account are before it, the one that was let in included.
        var rank: Int
        let wait: Wait<Void>
    }

    private let loop: EventLoop
    /// The account of the one that was let in.
    private var inside: String?
    private var waiting: [Place] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// Waits for its turn; false where the task was cancelled before, or the deadline has passed. Whoever was let in calls `leave`
    /// afterwards.
    func enter(as account: String = "", isFirst: Bool = false, until deadline: Instant? = nil) async -> Bool {
        guard inside != nil else {
            inside = account
            return true
        }
        let rank = (inside == account ? 1 : 0) + waiting.count { $0.account == account }
        let place = Place(account: account, isFirst: isFirst, rank: rank, wait: Wait(on: loop))
        waiting.insert(place, at: waiting.firstIndex { isFirst || !$0.isFirst && $0.rank > rank } ?? waiting.count)
        do throws(WaitFailure) {
            try await place.wait.value(until: deadline)
            return true
        } catch {
            if let index = waiting.firstIndex(where: { $0.wait === place.wait }) { remove(at: index) }
            return false
        }
    }

    func leave() {
        if let inside { advance(inside) }
        inside = nil
        while let next = waiting.first {
            waiting.removeFirst()
            guard next.wait.resume() else {
                advance(next.account)
                continue
            }
            inside = next.account
            return
        }
    }

    private func remove(at index: Int) {
        let gone = waiting.remove(at: index)
        for later in waiting.indices where waiting[later].account == gone.account && waiting[later].rank > gone.rank {
            waiting[later].rank -= 1
        }
    }

    /// One of the account has left.
    private func advance(_ account: String) {
        for index in waiting.indices where waiting[index].account == account { waiting[index].rank -= 1 }
    }
}

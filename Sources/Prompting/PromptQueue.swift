// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

/// What the person is asked, one after another: one prompt is on the screen at a time, whoever asks.
package final class PromptQueue<Key: Hashable & Sendable>: Sendable {
    private let queue = DispatchQueue(label: "autofilld.prompt")
    private let waiting = Mutex<[Key: Withdrawal]>([:])

    package init() {}

    /// Runs `body` when all before it are done, on a thread of its own, unless it was withdrawn by then. Its withdrawal is
    /// to be looked at again before anything comes of its end.
    ///
    /// - Returns: false where there are no descriptors left to take it back by: then nothing is asked.
    package func add(_ key: Key, _ body: @escaping @Sendable (Withdrawal) -> Void) -> Bool {
        guard let withdrawal = Withdrawal() else { return false }
        waiting.withLock { $0[key] = withdrawal }
        queue.async { [self] in
            if !withdrawal.isWithdrawn { body(withdrawal) }
            waiting.withLock { waiting in
                if waiting[key] === withdrawal { waiting[key] = nil }
            }
        }
        return true
    }

    /// Takes a question back, on the screen or not yet.
    package func withdraw(_ key: Key) {
        waiting.withLock { $0.removeValue(forKey: key) }?.withdraw()
    }

    /// Takes all back.
    package func withdrawAll() {
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        for withdrawal in all.values { withdrawal.withdraw() }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Callers that wait until all of them are resumed, or until their own task is cancelled.
final class WaitingCallers: Sendable {
    private struct Callers {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let callers = Mutex(Callers())

    /// Waits for ``resume()``, or until the task is cancelled.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        let id = callers.withLock { callers in
            callers.lastID += 1
            return callers.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let isCancelled = callers.withLock { callers in
                    if callers.cancelled.contains(id) { return true }
                    callers.waiting[id] = caller
                    return false
                }
                if isCancelled { caller.resume() }
            }
        } onCancel: {
            let caller = callers.withLock { callers in
                callers.cancelled.insert(id)
                return callers.waiting.removeValue(forKey: id)
            }
            caller?.resume()
        }
        callers.withLock { _ = $0.cancelled.remove(id) }
    }

    /// Resumes all waiting callers.
    func resume() {
        let all = callers.withLock { callers in
            defer { callers.waiting = [:] }
            return callers.waiting
        }
        for caller in all.values { caller.resume() }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// One task waits for one answer, on the loop. The answer may arrive before the task waits, and in the same turn.
///
/// The task continues as a separate job of the loop, on the loop's thread, never within `resume`. Waiting tasks
/// continue in the order in which their answers arrived, also within one turn; a task that waits for an answer that has
/// arrived returns at once. The first of answer, deadline and cancellation counts; later ones are dropped.
package final class Wait<Value> {
    private let loop: EventLoop
    private var outcome: Result<Value, WaitFailure>?
    private var continuation: UnsafeContinuation<Void, Never>?

    package init(on loop: EventLoop) { self.loop = loop }

    /// Whether an answer, a deadline or a cancellation ended the wait.
    package var isEnded: Bool { outcome != nil }

    /// On the loop's thread.
    /// - Returns: whether the answer counts.
    @discardableResult
    package func resume(returning value: Value) -> Bool { end(.success(value)) }

    /// On the loop's thread.
    @discardableResult
    package func resume(throwing failure: WaitFailure) -> Bool { end(.failure(failure)) }

    /// Called by one task, on an actor whose executor is the loop.
    /// - Parameters:
    ///   - deadline: on CLOCK_MONOTONIC.
    ///   - onCancel: called when the task is cancelled, where the answer is still waited for; nil: the task continues
    ///     at once.
    package func value(
        until deadline: Instant? = nil, onCancel: (@Sendable () -> Void)? = nil
    ) async throws(WaitFailure) -> Value {
        if let outcome { return try outcome.get() }
        precondition(loop.isCurrent && continuation == nil, "one task waits, on the loop")
        var timer: LoopTimer?
        if let deadline {
            timer = LoopTimer(on: loop) { [unowned self] in end(.failure(.deadline)) }
            timer?.schedule(at: deadline)
        }
        let own = LoopBound(self, on: loop)
        // Outermost: code outside of the preference runs on the global pool.
        await withTaskExecutorPreference(loop) {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    if outcome == nil { self.continuation = continuation } else { continuation.resume() }
                }
            } onCancel: {
                if let onCancel { onCancel() } else { own.perform { $0.end(.failure(.cancelled)) } }
            }
        }
        timer = nil
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }

    @discardableResult
    private func end(_ result: Result<Value, WaitFailure>) -> Bool {
        guard outcome == nil else { return false }
        outcome = result
        // Proof of exactly once: it is resumed when the outcome is set, which happens once, or, where that was before,
        // at once.
        continuation?.resume()
        continuation = nil
        return true
    }
}

extension Wait where Value == Void {
    @discardableResult
    package func resume() -> Bool { resume(returning: ()) }
}

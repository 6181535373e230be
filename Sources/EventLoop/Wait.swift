// SPDX-License-Identifier: Apache-2.0

/// One task waits for one answer, on the loop. The answer may come before the task waits, and in the same turn.
///
/// The task goes on as a job of the loop of its own, on the loop's thread, never within `resume`. Tasks that wait go on in
/// the order in which their answers came, also of one turn; one that asks for what has come already has it at once. The first of
/// answer, deadline and cancellation counts; what comes later is dropped.
package final class Wait<Value> {
    private let loop: EventLoop
    private var outcome: Result<Value, WaitFailure>?
    private var continuation: UnsafeContinuation<Void, Never>?

    package init(on loop: EventLoop) { self.loop = loop }

    /// Whether an answer, a deadline or a cancellation came.
    package var isEnded: Bool { outcome != nil }

    /// On the loop's thread.
    /// - Returns: whether the answer counts.
    @discardableResult
    package func resume(returning value: Value) -> Bool { end(.success(value)) }

    /// On the loop's thread.
    @discardableResult
    package func resume(throwing failure: WaitFailure) -> Bool { end(.failure(failure)) }

    /// To be called by one task, on an actor whose executor is the loop.
    /// - Parameters:
    ///   - deadline: on CLOCK_MONOTONIC.
    ///   - onCancel: what the cancellation of the task brings about, where the answer is waited for all the same; nil: the task
    ///     goes on at once.
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
        // Outermost: what lies outside of the preference goes by way of the global pool.
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
        // Proof of exactly once: it is resumed when the outcome is set, which happens once, or, where that was before, at once.
        continuation?.resume()
        continuation = nil
        return true
    }
}

extension Wait where Value == Void {
    @discardableResult
    package func resume() -> Bool { resume(returning: ()) }
}

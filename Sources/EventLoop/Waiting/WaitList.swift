// SPDX-License-Identifier: Apache-2.0

/// Several tasks wait for the same event: each continues with the next answer for all.
package final class WaitList<Value> {
    private let loop: EventLoop
    private var waits: [Wait<Value>] = []
    /// How many there may be before the ended ones are removed.
    private var sweepAt = 16

    package init(on loop: EventLoop) { self.loop = loop }

    /// How many tasks wait.
    package var count: Int { waits.count { !$0.isEnded } }

    /// Called on an actor whose executor is the loop. Earlier answers are not returned.
    /// - Parameter deadline: on CLOCK_MONOTONIC.
    package func value(until deadline: Instant? = nil) async throws(WaitFailure) -> Value {
        if waits.count >= sweepAt {
            waits.removeAll(where: \.isEnded)
            sweepAt = max(16, 2 * waits.count)
        }
        let wait = Wait<Value>(on: loop)
        waits.append(wait)
        return try await wait.value(until: deadline)
    }
}

extension WaitList where Value: Sendable {
    /// All that wait at this moment.
    package func resumeAll(returning value: Value) {
        for wait in exchange(&waits, with: []) { wait.resume(returning: value) }
    }
}

extension WaitList where Value == Void {
    package func resumeAll() { resumeAll(returning: ()) }
}

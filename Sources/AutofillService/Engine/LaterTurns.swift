// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Requests for which one turn of the loop is not enough: each goes on in a later one, only one of them in each, those of different
/// programs alternately. Requests that need less are served in between.
final class LaterTurns {
    private let loop: EventLoop
    private let lock: AsyncLock

    init(_ loop: EventLoop) {
        self.loop = loop
        lock = AsyncLock(loop)
    }

    /// Waits for a later turn; false where the task was cancelled before.
    func next(as quotaKey: String) async -> Bool {
        guard await lock.enter(as: quotaKey) else { return false }
        defer { lock.leave() }
        do throws(WaitFailure) { try await Self.pass(on: loop) } catch { return false }
        return true
    }

    /// Waits for a later turn: what others wait for goes on before.
    static func pass(on loop: EventLoop) async throws(WaitFailure) {
        let wait = Wait<Void>(on: loop)
        let source = TurnSource(on: loop, at: .afterSockets) { wait.resume() }
        defer { withExtendedLifetime(source) {} }
        source.arm()
        // What others were answered in this one does not wait for the end of it all.
        loop.endTurnSoon()
        try await wait.value()
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Requests for which one turn of the loop is not enough: each goes on in a later one, only one of them in each, those of different
/// accounts by turns. Whoever asks for less is served in between.
final class LaterTurns {
    private let loop: EventLoop
    private let stile: Turnstile

    init(_ loop: EventLoop) {
        self.loop = loop
        stile = Turnstile(loop)
    }

    /// Waits for the request's next turn; false where its task was cancelled before.
    func next(as account: String) async -> Bool {
        guard await stile.enter(as: account) else { return false }
        defer { stile.leave() }
        let wait = Wait<Void>(on: loop)
        let source = TurnSource(on: loop, at: .afterSockets) { wait.resume() }
        defer { withExtendedLifetime(source) {} }
        source.arm()
        // What others were answered in this one does not wait for the end of it all.
        loop.endTurnSoon()
        do throws(WaitFailure) { try await wait.value() } catch { return false }
        return true
    }
}

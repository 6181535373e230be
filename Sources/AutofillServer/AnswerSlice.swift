// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop

/// How long one connection is answered before others are.
struct AnswerSlice {
    private let begin: Instant
    private let limit: Duration
    private let written: Int
    private var lines = 0

    init(of program: ProgramUse, in queue: FairQueue, _ engine: isolated AutofillEngine) {
        begin = engine.loop.clocks.monotonic()
        limit = queue.slice(of: program, at: begin)
        written = engine.outgoingBytes
    }

    /// Called after each line that is followed by more. Long answers count too: whether the client reads them shows
    /// when they are sent.
    mutating func isOver(_ engine: isolated AutofillEngine) -> Bool {
        lines += 1
        return lines >= Limits.linesPerTurn || engine.outgoingBytes - written >= Limits.unreadAnswerBytes
            || spent(engine).time >= limit
    }

    /// The time since its begin.
    func spent(_ engine: isolated AutofillEngine) -> (now: Instant, time: Duration) {
        let now = engine.loop.clocks.monotonic()
        return (now, now - begin)
    }
}

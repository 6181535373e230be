// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop

/// How long one connection is answered before others have their turn.
struct AnsweringTurn {
    private let begin: Instant
    private let limit: Duration
    private let written: Int
    private var lines = 0

    init(of program: ProgramTurns, in programs: ProgramQueue, _ engine: isolated AutofillEngine) {
        begin = engine.loop.clocks.monotonic()
        limit = programs.turn(of: program, at: begin)
        written = engine.outgoingBytes
    }

    /// To be asked after each line that is followed by more. Long answers count too: whether the client takes them
    /// shows when they have left.
    mutating func isOver(_ engine: isolated AutofillEngine) -> Bool {
        lines += 1
        return lines >= Limits.linesPerTurn || engine.outgoingBytes - written >= Limits.unreadAnswerBytes
            || spent(engine).time >= limit
    }

    /// How long it has taken until now.
    func spent(_ engine: isolated AutofillEngine) -> (now: Instant, time: Duration) {
        let now = engine.loop.clocks.monotonic()
        return (now, now - begin)
    }
}

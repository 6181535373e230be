// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop

/// The end of a turn of the loop: first the answers of all, then the journal's copy of what was released; the record of it was
/// made before.
final class Departures {
    private let table: ConnectionTable
    private let record: ([JournalEvent]) -> Void
    private let reportFault: (any Error) -> Void
    private var sync: LoopTimer?
    /// Those that are answered in this turn.
    private var answered: [Connection] = []

    init(
        of table: ConnectionTable, record: @escaping ([JournalEvent]) -> Void,
        reportFault: @escaping (any Error) -> Void
    ) {
        self.table = table
        self.record = record
        self.reportFault = reportFault
    }

    func start(_ engine: isolated AutofillEngine) {
        sync = LoopTimer(on: engine.loop, slack: .milliseconds(50)) { [unowned self] in syncReleases(engine) }
        table.turns.start(
            on: engine.loop,
            goOn: { [unowned self] in table.turns.goOn(engine.loop.clocks.monotonic) { $0.goOn(engine) } },
            end: { [unowned self] in endTurn(engine) })
    }

    func stop() { sync = nil }

    private func endTurn(_ engine: isolated AutofillEngine) {
        let begin = engine.loop.clocks.monotonic()
        table.turns.release { $0.goOnWithEngine(engine) }
        engine.endTurn { outbox in send(outbox) }
        for connection in answered { connection.answersLeft(engine) }
        charge(engine.loop.clocks.monotonic(), since: begin)
        answered.removeAll(keepingCapacity: answered.capacity <= Self.kept)
        let events = engine.takeJournal()
        if !events.isEmpty { record(events) }
        for connection in table.turns.takeLeaving() { connection.turnLeft(engine) }
        scheduleSync(engine, in: .milliseconds(900))
    }

    /// What leaves takes time too, events to many connections above all: of a long end of the turn each bears its part.
    private func charge(_ now: Instant, since begin: Instant) {
        guard now - begin >= .microseconds(Limits.turnMicroseconds), answered.count > 1 else { return }
        let part = (now - begin) / answered.count
        for connection in answered { table.turns.programs.note(part, of: connection.holdings.turns, at: now) }
    }

    private static let kept = 1024

    private func send(_ outbox: borrowing Outbox) {
        let segments = outbox.segments
        outbox.withUnsafeBytes { bytes in
            var start = 0
            for segment in segments {
                defer { start = segment.end }
                guard let connection = table[segment.session] else { continue }
                connection.send(UnsafeRawBufferPointer(rebasing: bytes[start..<segment.end]))
                answered.append(connection)
                table.turns.noteDeparture()
            }
        }
    }

    /// What was released is on the disk within a second.
    private func scheduleSync(_ engine: isolated AutofillEngine, in delay: Duration) {
        guard sync?.deadline == nil, engine.hasUnsyncedReleases else { return }
        sync?.schedule(after: delay)
    }

    /// Some times of last use wait for a later turn, between those of the clients. What fails is tried again when
    /// there is something new.
    private func syncReleases(_ engine: isolated AutofillEngine) {
        do {
            try engine.syncReleases()
            scheduleSync(engine, in: .milliseconds(100))
        } catch {
            reportFault(error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop

/// The end of a turn of the loop: first the record of what is released, then the answers of all, then the journal's
/// copy.
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
            goOn: { [unowned self] in table.turns.next()?.goOn(engine) },
            end: { [unowned self] in endTurn(engine) })
    }

    func stop() { sync = nil }

    private func endTurn(_ engine: isolated AutofillEngine) {
        table.turns.release { $0.goOnWithEngine(engine) }
        let failure = engine.endTurn { outbox, failure in
            send(outbox, isOnRecord: failure == nil)
            return failure
        }
        if let failure {
            reportFault(failure)
            // Nothing leaves that is not on record. The clients repeat their requests on new connections.
            for connection in answered { connection.abort(engine) }
        } else {
            for connection in answered { connection.answersLeft(engine) }
        }
        answered.removeAll(keepingCapacity: answered.capacity <= Self.kept)
        let events = engine.takeJournal(isSent: failure == nil)
        if !events.isEmpty { record(events) }
        for connection in table.turns.takeLeaving() { connection.turnLeft(engine) }
        scheduleSync(engine, in: .milliseconds(900))
    }

    private static let kept = 1024

    private func send(_ outbox: borrowing Outbox, isOnRecord: Bool) {
        let segments = outbox.segments
        outbox.withUnsafeBytes { bytes in
            var start = 0
            for segment in segments {
                defer { start = segment.end }
                guard let connection = table[segment.session] else { continue }
                if isOnRecord { connection.send(UnsafeRawBufferPointer(rebasing: bytes[start..<segment.end])) }
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

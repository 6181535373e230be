// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop

/// The end of a turn of the loop: it sends the answers of all connections, then writes the journal entries of the
/// releases; the release log was written before.
final class Departures {
    private let table: ConnectionTable
    private let record: ([JournalEvent]) -> Void
    private let reportFault: (any Error) -> Void
    private var sync: LoopTimer?
    /// The connections that are answered in this end of a turn.
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
        table.deferred.start(
            on: engine.loop,
            goOn: { $0.goOn(engine) }, end: { [unowned self] in endTurn(engine) })
    }

    func stop() { sync = nil }

    private func endTurn(_ engine: isolated AutofillEngine) {
        let begin = engine.loop.clocks.monotonic()
        table.deferred.release { $0.goOnWithEngine(engine) }
        engine.endTurn { session, bytes in
            guard let connection = table[session] else { return }
            connection.send(bytes)
            answered.append(connection)
        }
        if !answered.isEmpty { table.deferred.noteDeparture() }
        for connection in answered { connection.answersLeft(engine) }
        if answered.count > 1 { charge(since: begin, engine.loop.clocks.monotonic()) }
        answered.removeAll(keepingCapacity: true)
        let events = engine.takeJournal()
        if !events.isEmpty { record(events) }
        for connection in table.deferred.takeLeaving() { connection.turnHasEnded(engine) }
        scheduleSync(engine, in: .milliseconds(900))
    }

    /// Sending takes time too, above all events to many connections: the time of a long end of the turn is divided
    /// among the programs of the answered connections.
    private func charge(since begin: Instant, _ now: Instant) {
        guard now - begin >= .microseconds(Limits.turnMicroseconds) else { return }
        let each = (now - begin) / answered.count
        for connection in answered { table.deferred.queue.note(each, of: connection.holdings.use, at: now) }
    }

    /// The release log is on the disk within a second.
    private func scheduleSync(_ engine: isolated AutofillEngine, in delay: Duration) {
        guard sync?.deadline == nil, engine.hasUnsyncedReleases else { return }
        sync?.schedule(after: delay)
    }

    /// Some times of last use wait for a later turn, between those of the clients. A failed sync is tried again at the
    /// next change.
    private func syncReleases(_ engine: isolated AutofillEngine) {
        do {
            try engine.syncReleases()
            scheduleSync(engine, in: .milliseconds(100))
        } catch {
            reportFault(error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// The connections that continue later in this turn of the loop, or in a later one.
final class DeferredConnections {
    /// The connections with more requests, which wait until other programs were answered.
    let queue = FairQueue()
    /// The connections from which the engine accepts no requests.
    private var heldUp = Queue<Connection>()
    /// The connections that close when their answers are sent.
    private var leaving: [Connection] = []
    /// How often answers were sent.
    private(set) var departures = 0
    private var afterSockets: TurnSource?
    private var end: TurnSource?

    /// - Parameters:
    ///   - goOn: calls `goOn` once.
    ///   - end: sends the answers.
    func start(on loop: EventLoop, goOn: @escaping () -> Void, end: @escaping () -> Void) {
        afterSockets = TurnSource(on: loop, at: .afterSockets, handler: goOn)
        self.end = TurnSource(on: loop, at: .endOfTurn, handler: end)
        queue.start(on: loop) { [unowned self] in afterSockets?.arm() }
    }

    func stop() {
        afterSockets = nil
        end = nil
        queue.stop()
        heldUp = Queue()
        leaving = []
    }

    /// Calls `end` after the sockets that are ready were served.
    func armEnd() { end?.arm() }

    func noteDeparture() { departures += 1 }

    // MARK: - Continuing

    /// Whether a connection is read now; else it waits until other programs were answered.
    func admits(_ connection: Connection, at now: Instant) -> Bool {
        afterSockets?.arm()
        return queue.admits(connection.holdings.use, at: now)
    }

    func goOnLater(_ connection: Connection) {
        queue.append(connection)
        afterSockets?.arm()
    }

    /// Continues the next connection of the queue: one at a time, so that a client with few requests never waits for
    /// more than one slice of clients with many. More connections that already wait continue while no other program is
    /// awaited. Called once in a turn of the loop, after the sockets.
    func goOn(_ clock: () -> Instant, _ goOn: (Connection) -> Void) {
        let begin = clock()
        var left = queue.count
        var next = queue.next(at: begin)
        while let connection = next {
            goOn(connection)
            left -= 1
            let now = clock()
            let isOver = left <= 0 || now - begin >= queue.slice(of: connection.holdings.use, at: now)
            next = isOver ? nil : queue.another(at: now)
        }
        if !queue.isEmpty { afterSockets?.arm() }
    }

    // MARK: - The engine's pauses

    func goOnWithEngine(_ connection: Connection) { heldUp.append(connection) }

    /// Continues the connections from which the engine accepts requests again. The engine holds up all for the same
    /// reason; a connection that may continue for another reason gets an answer, and continues with that.
    ///
    /// - Parameter continues: whether a connection continues.
    func release(_ continues: (Connection) -> Bool) {
        while let first = heldUp.first, continues(first) { _ = heldUp.popFirst() }
    }

    // MARK: - The end of the turn

    func awaitEnd(_ connection: Connection) {
        leaving.append(connection)
        armEnd()
    }

    func takeLeaving() -> [Connection] {
        defer { leaving.removeAll() }
        return leaving
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// The connections that have something to do later in this turn of the loop, or in a later one.
final class Turns {
    /// Those that have more to ask, and wait for the others' turns.
    let programs = ProgramQueue()
    /// Those from which the engine takes nothing.
    private var heldUp = Queue<Connection>()
    /// Those that close when their answers have left.
    private var leaving: [Connection] = []
    /// How often answers have left.
    private(set) var departures = 0
    private var afterSockets: TurnSource?
    private var end: TurnSource?

    /// - Parameters:
    ///   - goOn: calls `goOn` once.
    ///   - end: has answers leave.
    func start(on loop: EventLoop, goOn: @escaping () -> Void, end: @escaping () -> Void) {
        afterSockets = TurnSource(on: loop, at: .afterSockets, handler: goOn)
        self.end = TurnSource(on: loop, at: .endOfTurn, handler: end)
        programs.start(on: loop) { [unowned self] in afterSockets?.arm() }
    }

    func stop() {
        afterSockets = nil
        end = nil
        programs.stop()
        heldUp = Queue()
        leaving = []
    }

    /// Has `end` called when the sockets that are ready are served.
    func armEnd() { end?.arm() }

    func noteDeparture() { departures += 1 }

    // MARK: - Going on

    /// Whether a connection is read now; else it waits until others had their turn.
    func admits(_ connection: Connection, at now: Instant) -> Bool {
        afterSockets?.arm()
        return programs.admits(connection.holdings.turns, at: now)
    }

    func goOnLater(_ connection: Connection) {
        programs.append(connection)
        afterSockets?.arm()
    }

    /// Lets the one go on whose turn it is: one at a time, so that whoever asks for little never waits for more than one turn of
    /// those who ask for much. More of those that wait already go on while nobody else is awaited. To be called once in a turn
    /// of the loop, after the sockets.
    func goOn(_ clock: () -> Instant, _ goOn: (Connection) -> Void) {
        let begin = clock()
        var left = programs.count
        var next = programs.next(at: begin)
        while let connection = next {
            goOn(connection)
            left -= 1
            let now = clock()
            let isOver = left <= 0 || now - begin >= programs.turn(of: connection.holdings.turns, at: now)
            next = isOver ? nil : programs.another(at: now)
        }
        if !programs.isEmpty { afterSockets?.arm() }
    }

    // MARK: - The engine's pauses

    func goOnWithEngine(_ connection: Connection) { heldUp.append(connection) }

    /// Lets those go on from which the engine takes something again. The engine holds up all for the same; whoever may
    /// go on for another reason gets an answer, and goes on with that.
    ///
    /// - Parameter goesOn: whether a connection goes on.
    func release(_ goesOn: (Connection) -> Bool) {
        while let first = heldUp.first, goesOn(first) { _ = heldUp.popFirst() }
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

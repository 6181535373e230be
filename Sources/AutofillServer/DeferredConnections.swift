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
    private var end: TurnSource?

    /// - Parameters:
    ///   - goOn: continues a connection after other programs were answered.
    ///   - end: sends the answers.
    func start(on loop: EventLoop, goOn: @escaping (Connection) -> Void, end: @escaping () -> Void) {
        self.end = TurnSource(on: loop, at: .endOfTurn, handler: end)
        queue.start(on: loop, goOn: goOn)
    }

    func stop() {
        end = nil
        queue.stop()
        heldUp = Queue()
        leaving = []
    }

    /// Calls `end` after the sockets that are ready were served.
    func armEnd() { end?.arm() }

    func noteDeparture() { departures += 1 }

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

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Synchronization

/// The way to the service: the connection of now, and how to make another when that is lost.
actor Link {
    private enum State {
        case up(Connection)
        case down
        /// An attempt is under way.
        case connecting
    }

    private let dialler: Dialler
    /// Whether a lost connection is made anew.
    nonisolated let reconnects: Bool
    /// What the service said the last time.
    nonisolated let greeting: Mutex<Greeting>
    private var state: State
    /// Those who wait for the attempt that is under way.
    private let callers = WaitingCallers()
    /// The last one whose service was stopping.
    private var retired: Connection?

    private init(_ dialler: Dialler, reconnects: Bool, greeting: Greeting, connection: Connection) {
        self.dialler = dialler
        self.reconnects = reconnects
        self.greeting = Mutex(greeting)
        state = .up(connection)
    }

    deinit {
        if case .up(let connection) = state { connection.close() }
        retired?.close()
    }

    /// Connects and says hello.
    static func open(_ dialler: Dialler, reconnects: Bool) async throws(AutofillError) -> Link {
        let (connection, greeting) = try await dialler.connect()
        return Link(dialler, reconnects: reconnects, greeting: greeting, connection: connection)
    }

    /// The connection of now; a new one where that was lost. Callers that come while it is made share it; one whose task is
    /// cancelled goes at once.
    func connection() async throws(AutofillError) -> Connection {
        while true {
            switch state {
            case .up(let connection) where !connection.hasEnded || !reconnects: return connection
            case .connecting:
                await callers.wait()
                if Task.isCancelled { throw .cancelled }
            case .up, .down: return try await reconnect()
            }
        }
    }

    /// Takes a connection out of use whose service is stopping: the next call makes another. What still waits there may get
    /// its answer yet.
    func retire(_ connection: Connection) {
        guard reconnects, case .up(let current) = state, current === connection else { return }
        retired?.close()
        retired = connection
        state = .down
    }

    private func reconnect() async throws(AutofillError) -> Connection {
        state = .connecting
        let result: Result<(Connection, Greeting), AutofillError>
        do throws(AutofillError) {
            result = .success(try await dialler.connect())
        } catch {
            result = .failure(error)
        }
        // They find the state that is set below: nothing runs here between.
        callers.resume()
        switch result {
        case .success((let connection, let greeting)):
            self.greeting.withLock { $0 = greeting }
            state = .up(connection)
            return connection
        case .failure(let error):
            state = .down
            throw error
        }
    }
}

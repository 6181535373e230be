// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Synchronization

/// The current connection to the service, which is replaced by a new one when it is lost.
actor Link {
    private enum State {
        case up(Connection)
        case down
        /// An attempt to connect is in progress.
        case connecting
    }

    private let dialler: Dialler
    /// Whether a lost connection is replaced.
    nonisolated let reconnects: Bool
    /// The answer to the last `hello`.
    nonisolated let greeting: Mutex<Greeting>
    private var state: State
    /// The callers that wait for the attempt in progress.
    private let callers = WaitingCallers()
    /// The last connection whose service was stopping.
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

    /// Connects and sends `hello`.
    static func open(_ dialler: Dialler, reconnects: Bool) async throws(AutofillError) -> Link {
        let (connection, greeting) = try await dialler.connect()
        return Link(dialler, reconnects: reconnects, greeting: greeting, connection: connection)
    }

    /// Returns the current connection, or a new one if that was lost. Concurrent callers wait for the same attempt; a caller
    /// whose task is cancelled fails at once.
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

    /// Stops using a connection whose service is stopping: the next call makes another one. Calls that wait on it may still get
    /// their answers.
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
        // They read the state that is set below: nothing else runs on the actor in between.
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

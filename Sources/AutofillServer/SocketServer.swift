// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import AutofillService
internal import CAutofillLinux
package import EventLoop
internal import PeerIdentity
package import PeerInspection

/// Serves an engine on Unix sockets, on the engine's loop.
package final class SocketServer {
    private let admission = Admission()
    private let table: ConnectionTable
    private let arrivals: Arrivals
    private let departures: Departures
    private var listeners: [Listener] = []
    private var stopping: Stopping?

    /// - Parameters:
    ///   - pool: for the inspections of peers.
    ///   - record: receives the journal entries, after the answers are sent.
    ///   - reportFault: receives the errors of the service itself.
    package init(
        inspector: PeerInspector, pool: WorkerPool, record: @escaping ([JournalEvent]) -> Void,
        reportFault: @escaping (any Error) -> Void, on engine: isolated AutofillEngine
    ) {
        let passed = PassedDescriptors(pool: pool)
        table = ConnectionTable(admission, passed)
        let hashes = ContentHashes(on: engine.loop, pool: pool)
        arrivals = Arrivals(inspector, pool, hashes, admission, passed)
        departures = Departures(of: table, record: record, reportFault: reportFault)
        departures.start(engine)
        table.start(engine)
    }

    /// Sends what the engine has written at the end of the turn: for `AutofillEngine.begin`.
    package func armTurnEnd() { table.deferred.armEnd() }

    /// How many connections there are.
    package var connections: Int { table.count }

    /// Whether a client has connected, inspected or not.
    package var isAwaited: Bool { table.count > 0 || !arrivals.isEmpty }

    /// Starts to accept connections.
    ///
    /// - Parameter listening: Unix stream sockets that listen; their owner closes them.
    package func serve(_ listening: [Int32], _ engine: isolated AutofillEngine) throws(LoopError) {
        for descriptor in listening {
            let listener = try Listener(descriptor, on: engine.loop, admission) { [unowned self] accepted in
                arrive(accepted, engine)
            }
            listeners.append(listener)
        }
    }

    private func arrive(_ accepted: Int32, _ engine: isolated AutofillEngine) {
        arrivals.add(accepted, engine) { arrival, hash, script in
            let peer = arrival.peer
            let served = Peer(
                evidence: peer.evidence, confirm: { () throws(PeerRefusal) in try peer.confirm() }, contentHash: hash,
                script: script, terminal: { peer.terminalSession })
            self.begin(arrival.descriptor, served, as: arrival.program, early: arrival.early, engine)
        }
    }

    /// Serves a socket whose peer is already inspected.
    package func serve(_ descriptor: Int32, from peer: sending Peer, _ engine: isolated AutofillEngine) {
        let program = Admission.Program(peer.evidence)
        admission.enter()
        guard af_set_nonblocking(descriptor) == 0, admission.reserve(for: program) else {
            admission.leave()
            return af_close(descriptor)
        }
        begin(descriptor, peer, as: program, early: 0, engine)
    }

    private func begin(
        _ descriptor: Int32, _ peer: sending Peer, as program: Admission.Program, early: Int,
        _ engine: isolated AutofillEngine
    ) {
        let connection = table.add(descriptor, peer, as: program, early: early, engine)
        if stopping != nil { connection?.stop(engine) }
    }

    /// Accepts no more connections, answers what has arrived, refuses what waits with `stopping`, and closes. Waits at
    /// most `Limits.stoppingMilliseconds` for peers that do not read, and `Limits.stoppingAnswersMilliseconds` while
    /// answers are sent: a machine under load is not a peer that does not read.
    package func stop(_ engine: isolated AutofillEngine) async {
        guard stopping == nil else { return }
        listeners = []
        let stopping = Stopping(on: engine.loop) { [unowned self] in
            table.forEach { $0.checkSilence(engine) }
            return Stopping.Status(isDone: table.count == 0 && arrivals.isEmpty, departures: table.deferred.departures)
        }
        self.stopping = stopping
        table.forEach { $0.stop(engine) }
        await stopping.end()
        table.forEach { $0.abort(engine) }
        departures.stop()
        table.stop()
    }
}

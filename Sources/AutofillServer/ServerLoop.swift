// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import NIOCore
internal import NIOPosix
internal import PeerIdentity
internal import Reasons

/// What all connections share, on the event loop: the broker, the writer of the answers, the threads for what is slow.
final class ServerLoop {
    let broker: AutofillBroker
    private let eventLoop: any EventLoop
    private let derivations: NIOThreadPool
    private let vaultWork: NIOThreadPool
    private let record: (JournalEvent) -> Void
    private let runErrand: (ErrandOrder) -> Void
    private let readHash: ReadHash
    private let reportFault: (any Error) -> Void
    /// The answers of this turn, one connection's behind the other's.
    private var writer = JSONWriter(capacity: 4096)
    private var outgoing: [Outgoing] = []
    /// Those of the turn before, while they leave: the sockets may call back meanwhile.
    private var leavingWriter = JSONWriter(capacity: 4096)
    private var leaving: [Outgoing] = []
    private var ending: [ConnectionHandler] = []
    /// How often answers have left for a connection.
    private var sent = 0
    private var turnEndIsScheduled = false
    private var connections: [ClientID: ConnectionHandler] = [:]
    private var syncIsScheduled = false
    private var bell: TurnBell?
    /// Those that have more to ask, and wait for the others' turns.
    private var yielding = CircularBuffer<ConnectionHandler>()
    /// Those from which nothing is taken until the vault is back.
    private var heldUp: [ConnectionHandler] = []

    private struct Outgoing {
        let connection: ConnectionHandler
        /// Where its answers end; they begin where those before end.
        let end: Int
    }

    /// Made once: it is asked for in every turn.
    private lazy var turnEnd: @Sendable () -> Void = {
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        return { loopBound.value.endTurn() }
    }()

    init(
        broker: AutofillBroker, eventLoop: any EventLoop, derivations: NIOThreadPool, vaultWork: NIOThreadPool,
        record: @escaping (JournalEvent) -> Void, runErrand: @escaping (ErrandOrder) -> Void,
        readHash: @escaping ReadHash, reportFault: @escaping (any Error) -> Void
    ) {
        self.broker = broker
        self.eventLoop = eventLoop
        self.derivations = derivations
        self.vaultWork = vaultWork
        self.record = record
        self.runErrand = runErrand
        self.readHash = readHash
        self.reportFault = reportFault
    }

    func add(_ connection: ConnectionHandler, _ client: ClientID) { connections[client] = connection }

    func remove(_ client: ClientID) {
        connections[client] = nil
        broker.disconnect(client)
        endTurnLater()
    }

    func receive(_ line: UnsafeRawBufferPointer, from client: ClientID) -> Deferred? {
        broker.receive(line, from: client, into: &writer)
    }

    func reject(_ problem: ProtocolProblem) { writer.reject(nil, problem) }

    func stopWaiting(_ client: ClientID) { broker.stopWaiting(client, into: &writer) }

    func resume(_ deferred: Deferred, with derived: Deferred.Derived) -> Deferred? {
        broker.resume(deferred, with: derived, into: &writer)
    }

    /// The client is gone: nothing is written.
    func dropAnswers() { writer.discard(from: claimed) }

    /// Runs the slow part on the thread for its kind, and the rest here.
    func run(_ deferred: Deferred, for connection: ConnectionHandler) {
        let work = deferred.work
        let waiting = NIOLoopBound((deferred, connection), eventLoop: eventLoop)
        let pool = work.hasVault ? vaultWork : derivations
        pool.runIfActive(eventLoop: eventLoop) { work.run() }.whenComplete { result in
            let (deferred, connection) = waiting.value
            switch result {
            case .success(let derived): connection.finish(deferred, with: derived)
            case .failure: connection.drop(deferred)
            }
        }
    }

    /// What the daemon does of itself for the vault.
    private func runChore() {
        guard let work = broker.takeChore() else { return }
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        vaultWork.runIfActive(eventLoop: eventLoop) { work.run() }.whenComplete { result in
            let loop = loopBound.value
            loop.broker.conclude(chore: try? result.get())
            loop.endTurnLater()
        }
    }

    /// Takes the answers that were written for one connection; they leave at the end of this turn of the loop, together
    /// with everyone's, after one record of all that they release.
    func send(to connection: ConnectionHandler) {
        if writer.count > claimed { outgoing.append(Outgoing(connection: connection, end: writer.count)) }
        endTurnLater()
    }

    /// How much was written for the connection that is being answered.
    var unclaimedBytes: Int { writer.count - claimed }

    /// How much of what is written has its receiver.
    private var claimed: Int { outgoing.last?.end ?? 0 }

    /// What was asked of the broker may have more to send, to others too.
    func endTurnLater() {
        guard !turnEndIsScheduled else { return }
        turnEndIsScheduled = true
        eventLoop.execute(turnEnd)
    }

    /// Reads a file's content on another thread, then goes on there.
    typealias ReadHash = @Sendable (String, ContentVersion, @escaping @Sendable () -> Void) -> Void

    /// What the server can do itself it does; the rest is for the outside.
    private func run(_ order: ErrandOrder) {
        guard case .start(.contentHash(let path, let version)) = order else { return runErrand(order) }
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        readHash(path, version) { [eventLoop] in
            eventLoop.execute {
                loopBound.value.broker.conclude(.contentHash(path: path, version))
                loopBound.value.endTurnLater()
            }
        }
    }

    /// What leaves without a request, behind the answers of this turn.
    private func deliver() {
        while let (client, deferred) = broker.nextDelivery(into: &writer) {
            guard let connection = connections[client] else {
                writer.discard(from: claimed)
                if let deferred { broker.drop(deferred) }
                continue
            }
            connection.sendDelivered(deferred)
        }
    }

    /// Makes what lets the sockets of all have their turn before a connection goes on with its own. To be awaited before the
    /// first connection comes.
    func makeBell() -> EventLoopFuture<Void> {
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        return TurnBell.make(on: eventLoop) { loopBound.value.goOnWithTurn() }.map { loopBound.value.bell = $0.value }
    }

    /// Has a connection go on after the others had their turn.
    func goOnLater(_ connection: ConnectionHandler) {
        yielding.append(connection)
        ringForTurn()
    }

    private func ringForTurn() {
        guard bell?.ring() != true else { return }
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { loopBound.value.goOnWithTurn() }
    }

    /// One at a time, so that whoever asks for little never waits for more than one turn of those who ask for much.
    private func goOnWithTurn() {
        guard let connection = yielding.popFirst() else { return }
        connection.goOnWithTurn()
        if !yielding.isEmpty { ringForTurn() }
    }

    /// Has a connection go on when the vault is back.
    func holdUp(_ connection: ConnectionHandler) { heldUp.append(connection) }

    private func goOnIfVaultIsBack() {
        guard !heldUp.isEmpty, !broker.isVaultAway else { return }
        let waiting = heldUp
        heldUp = []
        for connection in waiting { connection.goOn() }
    }

    /// First the record, then the answers, then the journal's copy.
    private func endTurn() {
        goOnIfVaultIsBack()
        deliver()
        turnEndIsScheduled = false
        for order in broker.takeErrandOrders() { run(order) }
        runChore()
        swap(&writer, &leavingWriter)
        swap(&outgoing, &leaving)
        defer {
            leavingWriter.reset()
            leaving.removeAll(keepingCapacity: true)
        }
        do {
            try broker.commitReleases()
        } catch {
            reportFault(error)
            // Nothing leaves that is not on record, here and in the journal. The clients repeat their requests on new
            // connections.
            for answers in leaving { answers.connection.abort() }
            for event in broker.takeJournal() where !event.isRelease { record(event) }
            return
        }
        sent += leaving.count
        leavingWriter.withUnsafeBytes { bytes in
            var start = 0
            for answers in leaving {
                answers.connection.transmit(UnsafeRawBufferPointer(rebasing: bytes[start..<answers.end]))
                start = answers.end
            }
        }
        writeJournal()
        scheduleSync()
        for connection in ending { connection.close() }
        ending.removeAll()
    }

    /// The connection closes when its last answers have left.
    func close(_ connection: ConnectionHandler) {
        ending.append(connection)
        endTurnLater()
    }

    private func writeJournal() {
        for event in broker.takeJournal() { record(event) }
    }

    /// What was released is on the disk within a second.
    private func scheduleSync() {
        guard !syncIsScheduled, broker.hasUnsyncedReleases else { return }
        syncIsScheduled = true
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .milliseconds(900)) { loopBound.value.sync() }
    }

    private func sync() {
        syncIsScheduled = false
        do { try broker.syncReleases() } catch { reportFault(error) }
    }

    /// Ends all connections.
    func stop() {
        for connection in connections.values { connection.stop() }
    }

    /// How many connections there are, and how often answers have left.
    var standing: (connections: Int, sent: Int) { (connections.count, sent) }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import NIOCore
internal import NIOPosix
internal import PeerIdentity
internal import Reasons

/// What all connections share, on the event loop: the broker, the writer of the answers, the thread for key derivations.
final class ServerLoop {
    let broker: AutofillBroker
    private let eventLoop: any EventLoop
    private let derivations: NIOThreadPool
    private let record: (JournalEvent) -> Void
    private let runErrand: (ErrandOrder) -> Void
    private let readHash: ReadHash
    private let reportFault: (any Error) -> Void
    private var writer = JSONWriter(capacity: 4096)
    private var outgoing: [Outgoing] = []
    private var ending: [ConnectionHandler] = []
    private var turnEndIsScheduled = false
    private var connections: [ClientID: ConnectionHandler] = [:]
    private var syncIsScheduled = false

    private struct Outgoing {
        let channel: any Channel
        let answers: ByteBuffer
        let holdSecrets: Bool
    }

    private var turnEnd: @Sendable () -> Void {
        let loopBound = NIOLoopBound(self, eventLoop: eventLoop)
        return { loopBound.value.endTurn() }
    }

    init(
        broker: AutofillBroker, eventLoop: any EventLoop, derivations: NIOThreadPool,
        record: @escaping (JournalEvent) -> Void, runErrand: @escaping (ErrandOrder) -> Void,
        readHash: @escaping ReadHash, reportFault: @escaping (any Error) -> Void
    ) {
        self.broker = broker
        self.eventLoop = eventLoop
        self.derivations = derivations
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

    func resume(_ deferred: Deferred, with derived: Deferred.Derived) {
        broker.resume(deferred, with: derived, into: &writer)
    }

    /// The client is gone; nothing is written, but the broker keeps its count.
    func abandon(_ deferred: Deferred, _ derived: Deferred.Derived) {
        resume(deferred, with: derived)
        writer.reset()
    }

    /// Runs the slow part on the one thread for it, and the rest here.
    func run(_ deferred: Deferred, for connection: ConnectionHandler) {
        let work = deferred.work
        let waiting = NIOLoopBound((deferred, connection), eventLoop: eventLoop)
        derivations.runIfActive(eventLoop: eventLoop) { work.run() }.whenSuccess { derived in
            let (deferred, connection) = waiting.value
            connection.finish(deferred, with: derived)
        }
    }

    /// Takes the answers that were written for one connection; they leave at the end of this turn of the loop, together
    /// with everyone's, after one record of all that they release.
    func send(to channel: any Channel) {
        if writer.count > 0 {
            var answers = channel.allocator.buffer(capacity: writer.count)
            writer.withUnsafeBytes { _ = answers.writeBytes($0) }
            outgoing.append(Outgoing(channel: channel, answers: answers, holdSecrets: writer.holdsSecrets))
            writer.reset()
        }
        endTurnLater()
    }

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
                writer.reset()
                continue
            }
            connection.sendDelivered(deferred)
        }
    }

    /// First the record, then the answers, then the journal's copy.
    private func endTurn() {
        deliver()
        turnEndIsScheduled = false
        for order in broker.takeErrandOrders() { run(order) }
        let answers = outgoing
        outgoing.removeAll(keepingCapacity: true)
        do {
            try broker.commitReleases()
        } catch {
            reportFault(error)
            // Nothing leaves that is not on record. The clients repeat their requests on new connections.
            for answer in answers { answer.channel.close(promise: nil) }
            return writeJournal()
        }
        for answer in answers {
            guard answer.holdSecrets else {
                answer.channel.writeAndFlush(answer.answers, promise: nil)
                continue
            }
            let sent = answer.answers
            answer.channel.writeAndFlush(sent).whenComplete { _ in
                var sent = sent
                SecretWipe.wipe(&sent)
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

    var connectionCount: Int { connections.count }
}

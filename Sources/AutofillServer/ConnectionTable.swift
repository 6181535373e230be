// SPDX-License-Identifier: Apache-2.0
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop

/// All connections.
final class ConnectionTable {
    let spares = ReadMemory()
    let deferred = DeferredConnections()
    let passed: PassedDescriptors
    private let admission: Admission
    private var set: DescriptorSet?
    private var greetings: GreetingDeadlines?
    /// By the index of their token. Other sets of the loop have indices too: those are nil here.
    private var members: [Connection?] = []
    private var served = Served()

    /// The connections by their sessions.
    private struct Served {
        var bySession: [SessionID: Connection] = [:]
        /// The one that was found last, until one is removed.
        var current: Connection?
    }

    init(_ admission: Admission, _ passed: PassedDescriptors) {
        self.admission = admission
        self.passed = passed
    }

    func start(_ engine: isolated AutofillEngine) {
        set = DescriptorSet(on: engine.loop) { [unowned self] token, events in
            member(token)?.ready(events, engine)
        }
        greetings = GreetingDeadlines(on: engine.loop) { [unowned self] token in
            guard set?.isMember(token) == true else { return false }
            return member(token)?.refuseSilence(engine) ?? false
        }
    }

    private func member(_ token: DescriptorToken) -> Connection? {
        token.index < members.count ? members[token.index] : nil
    }

    var count: Int { served.bySession.count }

    subscript(_ session: SessionID) -> Connection? {
        if let current = served.current, current.holdings.session == session { return current }
        served.current = served.bySession[session]
        return served.current
    }

    /// Begins to serve a client.
    ///
    /// - Parameters:
    ///   - descriptor: a connected stream socket, the table's from here on.
    ///   - program: the program for which the admission counts it.
    ///   - early: how many bytes may have arrived before its peer was inspected.
    /// - Returns: nil where it cannot be watched; then it is closed.
    @discardableResult
    func add(
        _ descriptor: Int32, _ peer: sending Peer, as program: Admission.Program, early: Int,
        _ engine: isolated AutofillEngine
    ) -> Connection? {
        var connector = af_credentials()
        guard af_name_senders(descriptor) == 0, af_peer_credentials(descriptor, &connector) == 0,
            let token = try? set?.add(descriptor, events: .readable)
        else {
            passed.closeSocket(descriptor, engine) { [admission] in admission.leave(program) }
            return nil
        }
        let queued = program.forLoop(peer.evidence)
        let session = engine.connect(peer)
        let connection = Connection(
            Connection.Holdings(
                descriptor: descriptor, token: token, session: session, program: program, queued: queued,
                connector: connector.pid, use: deferred.queue.enter(queued)),
            early: early, in: self)
        while members.count <= token.index { members.append(nil) }
        members[token.index] = connection
        served.bySession[session] = connection
        greetings?.add(token)
        return connection
    }

    /// Closes it, and releases all that it holds.
    func remove(_ connection: Connection, _ engine: isolated AutofillEngine) {
        let holdings = connection.holdings
        guard served.bySession.removeValue(forKey: holdings.session) != nil else { return }
        served.current = nil
        set?.remove(holdings.token)
        members[holdings.token.index] = nil
        engine.disconnect(holdings.session)
        // It counts as the program's until its socket is closed.
        passed.closeSocket(holdings.descriptor, engine) { [admission, deferred] in
            admission.leave(holdings.program)
            deferred.queue.leave(holdings.queued)
        }
        deferred.armEnd()
    }

    /// Watches the socket of a connection for the events that it waits for.
    func watch(_ token: DescriptorToken, for events: IOEvents) { set?.modify(token, events: events) }

    /// Calls `body` with each present connection.
    func forEach(_ body: (Connection) -> Void) {
        for connection in Array(served.bySession.values) { body(connection) }
    }

    /// Called when there are no connections.
    func stop() {
        greetings = nil
        set = nil
        deferred.stop()
    }
}

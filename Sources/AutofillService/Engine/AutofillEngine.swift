// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
package import EventLoop
internal import Reasons

/// Answers requests, at once or in one task each. It and all that it owns live on one thread, the event loop's.
package actor AutofillEngine {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let service: ServiceComposition
    let methods: any MethodTable
    let maintenance: VaultMaintenance
    var outbox = Outbox()
    var scanner = JSONScanner(maximumDepth: Limits.depth)
    var status = EngineStatus()

    /// - Parameter methods: makes the table of methods.
    package init(
        _ configuration: sending EngineConfiguration,
        methods: @Sendable (ServiceStores, RequestServices) -> any MethodTable
    ) {
        loop = configuration.environment.loop
        let service = ServiceComposition(configuration)
        self.methods = methods(service.stores, service.services)
        maintenance = VaultMaintenance(service.stores.vault, service.stores.settings)
        self.service = service
    }

    /// To be called once, before anything else.
    package func begin(_ subscriber: any EngineSubscriber) {
        stores.environment.turn.subscriber = subscriber
        stores.environment.tasks.owner = self
        service.watch.begin(self)
        vault.noteExposure()
    }

    var stores: ServiceStores { service.stores }
    var sessions: SessionList { service.stores.sessions }
    var vault: VaultKeeper { service.stores.vault }
    var turn: TurnEnd { service.stores.environment.turn }

    // MARK: - Connections

    /// A new connection.
    package func connect(_ peer: sending Peer) -> SessionID { sessions.add(peer).id }

    package func disconnect(_ id: SessionID) {
        guard let session = sessions.remove(id) else { return }
        stores.events.forget(id)
        service.services.attachment.detach(id)
        // Nobody would receive the outcome, nor a recovery key that was drawn for it.
        for request in session.waiting.values { request.cancel() }
        turn.arm()
    }

    /// Another process than the one that connected has sent something, and it is not identified.
    package func noteOtherSender(_ id: SessionID) { sessions[id]?.arriving.hasOtherSender = true }

    /// Whether the connection has sent its `hello`.
    package func hasGreeted(_ id: SessionID) -> Bool { sessions[id]?.app != nil }

    /// Whether requests of this connection still wait.
    package func hasWaiting(_ id: SessionID) -> Bool { sessions[id]?.waiting.isEmpty == false }

    /// Whether nothing more is to be accepted from this connection for now: it is being greeted, or so much of it waits for the
    /// vault.
    package func acceptsNothing(from id: SessionID) -> Bool {
        guard let session = sessions[id] else { return false }
        return acceptsNothing(from: session)
    }

    func acceptsNothing(from session: Session) -> Bool {
        if session.app == nil { return !session.waiting.isEmpty }
        return vault.isAway && session.waiting.count >= Limits.waitingRequests
    }

    /// Notes whether a client reads what it is sent. While it does not its events wait, up to a limit.
    package func setReading(_ isTaking: Bool, _ id: SessionID) {
        guard let session = sessions[id] else { return }
        stores.events.setReading(isTaking, session)
    }

    /// Answers all that waits with `stopping`, and what is done with its result, in this turn or the next.
    package func stopWaiting(_ id: SessionID) {
        guard let session = sessions[id] else { return }
        for request in session.waiting.values { stop(request) }
        turn.arm()
    }

    /// Answers a request that waits with `stopping`. One that is done ends its wait, and answers its result.
    func stop(_ request: RequestContext) {
        if !request.state.isDone {
            request.session.waiting[request.id] = nil
            refuse(request, RefusedRequest(.stopping))
        }
        request.cancel()
    }

    // MARK: - The turn's end

    /// Bytes that were written and have not left.
    package var outgoingBytes: Int { outbox.count }

    /// Passes to `send` what leaves at the end of a turn, each connection's bytes. What was released with it is on record since
    /// before it was written.
    package func endTurn(_ send: (SessionID, UnsafeRawBufferPointer) -> Void) {
        turn.begin()
        stores.events.write(into: &outbox)
        reportStatus()
        vault.writeBackIfLong()
        service.services.sync.exchange.noteTurn()
        vault.wipeResidue()
        outbox.send(send)
        if outbox.count > 0 { noteAnswered() }
        outbox.reset()
    }

    /// Takes what the journal is to have, after the answers have left.
    package func takeJournal() -> [JournalEvent] { stores.audit.journal.take() }

    /// Whether there is something that `syncReleases` would bring to the disk; at most a second after it was released.
    package var hasUnsyncedReleases: Bool { vault.hasUnsyncedReleases }

    package func syncReleases() throws(VaultError) { try vault.syncReleases() }
}

extension AutofillEngine: TaskOwner {
    nonisolated func start(_ body: @escaping TaskStarter.Body) -> Task<Void, Never> {
        // It runs on the engine already: nothing crosses an isolation.
        nonisolated(unsafe) let body = body
        return assumeIsolated { $0.begin(body) }
    }

    private func begin(_ body: @escaping TaskStarter.Body) -> Task<Void, Never> {
        Task.immediate {
            await body()
            self.turn.arm()
        }
    }
}

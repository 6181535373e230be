// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import AutofillService
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import PeerIdentity
package import PeerInspection
internal import Reasons

#if canImport(Glibc)
    internal import Glibc
#endif

/// Serves a broker on Unix sockets: one event loop answers, one queue accepts, one thread derives keys, and
/// one works on the whole vault.
package final class SocketServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let derivations: NIOThreadPool
    private let vaultWork: NIOThreadPool
    private let loop: NIOLoopBound<ServerLoop>
    private let sockets: [ListeningSocket]
    private let inspector: PeerInspector
    private let hashes: ContentHashes
    /// Whether the event loop is about to end: nothing may be given to it then.
    private let isEnding = NIOLockedValueBox(false)
    private let admission: Admission

    /// - Parameters:
    ///   - descriptors: listening Unix sockets.
    ///   - makeBroker: called once, on the event loop, the thread that the broker belongs to from then on.
    ///   - record: takes what the journal is to have, on the event loop, after the answers have left.
    ///   - runErrand: takes what the outside is to do for requests that wait, on the event loop.
    ///   - reportFault: takes what went wrong on this side.
    package init(
        descriptors: [Int32], inspector: PeerInspector, makeBroker: @escaping @Sendable () throws -> AutofillBroker,
        record: @escaping @Sendable (JournalEvent) -> Void, runErrand: @escaping @Sendable (ErrandOrder) -> Void,
        reportFault: @escaping @Sendable (any Error) -> Void
    ) async throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        derivations = NIOThreadPool(numberOfThreads: 1)
        derivations.start()
        vaultWork = NIOThreadPool(numberOfThreads: 1)
        vaultWork.start()
        self.inspector = inspector
        hashes = ContentHashes()
        let admission = Admission()
        self.admission = admission
        sockets = descriptors.map { ListeningSocket(descriptor: $0, admission: admission) }
        let eventLoop = group.next()
        let (derivations, vaultWork) = (derivations, vaultWork)
        let readHash: ServerLoop.ReadHash = { [hashes] path, version, proceed in
            hashes.read(path, version, by: inspector, then: proceed)
        }
        loop = try await eventLoop.submit {
            NIOLoopBound(
                ServerLoop(
                    broker: try makeBroker(), eventLoop: eventLoop, derivations: derivations,
                    vaultWork: vaultWork, record: record, runErrand: runErrand, readHash: readHash,
                    reportFault: reportFault),
                eventLoop: eventLoop)
        }.get()
        try await eventLoop.flatSubmit { [loop] in loop.value.makeBell() }.get()
    }

    /// Starts to take connections.
    package func start() {
        for socket in sockets { socket.start { [self] descriptor in admit(descriptor) } }
    }

    /// Looks at a new peer, and gives it to the event loop. Runs on the accepting queue.
    private func admit(_ descriptor: Int32) {
        let peer: Result<InspectedPeer, PeerRefusal>
        do throws(PeerRefusal) {
            peer = .success(try inspector.inspect(descriptor))
        } catch {
            peer = .failure(error)
        }
        guard case .success(let inspected) = peer else {
            if case .failure(let refusal) = peer { refuse(descriptor, refusal.refusal) }
            return
        }
        guard admission.take(for: Admission.Program(inspected.evidence)) else {
            return refuse(descriptor, Refusal(.tooManyConnections, retryAfterMilliseconds: 1000))
        }
        guard hashes.needsReading(inspected) else { return serve(descriptor, inspected) }
        hashes.read(inspected) { [self] in serve(descriptor, inspected) }
    }

    private func serve(_ descriptor: Int32, _ inspected: InspectedPeer) {
        let eventLoop = group.next()
        let (admission, program) = (admission, Admission.Program(inspected.evidence))
        ClientBootstrap(group: eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(
                .writeBufferWaterMark, value: .init(low: Limits.unreadAnswerBytes / 2, high: Limits.unreadAnswerBytes)
            )
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { [loop, inspector, hashes] channel in
                channel.closeFuture.whenComplete { _ in admission.leave(program) }
                return channel.eventLoop.makeCompletedFuture {
                    let server = loop.value
                    let client = server.broker.connect(
                        Peer(
                            evidence: inspected.evidence, confirm: inspected.confirm,
                            contentHash: hashes[inspected], hashOfFile: hashes.ofFile,
                            registered: inspector.registered))
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionHandler(server: server, client: client, descriptor: descriptor))
                }
            }
            .withConnectedSocket(descriptor)
            .whenFailure { _ in }
    }

    /// Tells a peer that is nobody's why, and hangs up.
    private func refuse(_ descriptor: Int32, _ refusal: Refusal) {
        var writer = JSONWriter()
        writer.refuse(nil, [refusal])
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        writer.withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, flags) }
        close(descriptor)
        admission.leave()
    }

    /// Runs on the event loop, in turn with the answers: what it does is proof that they go on.
    package func repeating(
        everyMilliseconds interval: Int64, _ body: @escaping @Sendable (AutofillBroker) -> Void
    ) {
        group.next().scheduleRepeatedTask(
            initialDelay: .milliseconds(interval), delay: .milliseconds(interval)
        ) { [loop] _ in
            body(loop.value.broker)
            loop.value.endTurnLater()
        }
    }

    /// Runs on the event loop, with the broker.
    package func perform<Result: Sendable>(
        _ body: @escaping @Sendable (AutofillBroker) throws -> Result
    ) async throws -> Result {
        try await group.next().submit { [loop] in
            defer { loop.value.endTurnLater() }
            return try body(loop.value.broker)
        }.get()
    }

    /// The same from a thread that may wait, which is never the event loop's. Throws once the server ends.
    package func performWaiting<Result: Sendable>(
        _ body: @escaping @Sendable (AutofillBroker) throws -> Result
    ) throws -> Result {
        let result: EventLoopFuture<Result>? = isEnding.withLockedValue { isEnding in
            if isEnding { return nil }
            return group.next().submit { [loop] in
                defer { loop.value.endTurnLater() }
                return try body(loop.value.broker)
            }
        }
        guard let result else { throw CancellationError() }
        return try result.wait()
    }

    /// Runs a key derivation on the one thread for them, and waits for it on a thread that may wait.
    package func deriveWaiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
        let result: EventLoopFuture<Result>? = isEnding.withLockedValue { isEnding in
            isEnding ? nil : derivations.runIfActive(eventLoop: group.next()) { body() }
        }
        guard let result else { throw CancellationError() }
        return try result.wait()
    }

    /// The same for whoever does not wait for it. Nothing comes of it once the server has stopped.
    package func post(_ body: @escaping @Sendable (AutofillBroker) -> Void) {
        isEnding.withLockedValue { isEnding in
            guard !isEnding else { return }
            group.next().execute { [loop] in
                body(loop.value.broker)
                loop.value.endTurnLater()
            }
        }
    }

    /// Takes no more connections, answers what has arrived, closes, and ends. Takes at most
    /// `Limits.stoppingMilliseconds` for peers that do not read, and `Limits.stoppingAnswersMilliseconds` while answers
    /// leave: a machine under load is no peer that does not read.
    package func stop() async throws {
        for socket in sockets { socket.stop() }
        let eventLoop = group.next()
        try await eventLoop.submit { [loop] in loop.value.stop() }.get()
        let end = NIODeadline.now() + .milliseconds(Int64(Limits.stoppingAnswersMilliseconds))
        var deadline = end
        var sent = -1
        while NIODeadline.now() < min(deadline, end) {
            let now = try await eventLoop.submit { [loop] in loop.value.standing }.get()
            if now.connections == 0 { break }
            if now.sent != sent {
                sent = now.sent
                deadline = .now() + .milliseconds(Int64(Limits.stoppingMilliseconds))
            }
            try await eventLoop.scheduleTask(in: .milliseconds(10)) {}.futureResult.get()
        }
        try await eventLoop.submit { [loop] in loop.value.broker.stopVaultWork() }.get()
        try await vaultWork.shutdownGracefully()
        try await derivations.shutdownGracefully()
        isEnding.withLockedValue { $0 = true }
        try await eventLoop.submit { [loop] in loop.value.broker.close() }.get()
        try await group.shutdownGracefully()
    }
}

extension PeerRefusal {
    /// What a peer is told that gets no connection.
    fileprivate var refusal: Refusal {
        switch self {
        case .otherUser: Refusal(.notPermitted)
        case .ended: Refusal(.peerEnded)
        default: Refusal(.identityMismatch, [.detail: description])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import EventLoop
import Glibc
import PeerIdentity
import Prompting
import Testing

@testable import AutofillServer
@testable import Support

/// The server's own components with the whole service behind them, on a loop whose clock the test sets. For
/// shop.example.com a password is saved, which no app may have without a prompt.
final class ServedEngine {
    let service: TestService
    private let components: Components

    // Invariant for `@unchecked`: used between turns, by the one thread that makes them.
    private final class Components: @unchecked Sendable {
        let table: ConnectionTable
        let departures: Departures
        let reported = Reported()

        init(on engine: isolated AutofillEngine) {
            let reported = reported
            table = ConnectionTable(Admission(descriptors: 1000), PassedDescriptors(pool: engine.pool))
            departures = Departures(
                of: table, record: { reported.journal += $0 }, reportFault: { _ in reported.faults += 1 })
            departures.start(engine)
            table.start(engine)
        }
    }

    final class Reported {
        /// What went to the journal.
        fileprivate(set) var journal: [JournalEvent] = []
        fileprivate(set) var faults = 0
    }

    init(location: VaultLocation = .memory) throws {
        service = try .withPassword(location: location)
        components = service.engine.assumeIsolated { Components(on: $0) }
        service.leave { [weak table = components.table] in table?.deferred.armEnd() }
    }

    /// Breaks the circle of engine and server.
    deinit {
        components.departures.stop()
        components.table.stop()
    }

    var engine: AutofillEngine { service.engine }
    var loop: EventLoop { engine.loop }
    var table: ConnectionTable { components.table }
    var reported: Reported { components.reported }

    /// Closes all connections without their answers.
    func abortAll() {
        let components = components
        engine.assumeIsolated { engine in components.table.forEach { $0.abort(engine) } }
    }

    /// All that can be done now is done, inspections of files and work on the vault too, unless it is held.
    func run() throws { try service.settle() }

    /// Runs until a condition holds, where another process participates.
    func run(until condition: () -> Bool) throws -> Bool { try service.settle(until: condition) }

    /// The same without inspections of files and without work: requests that wait for one continue to wait.
    func runLoop() throws { try loop.runUntilIdle() }

    /// Runs after the clock went on.
    func run(after duration: Duration) throws {
        service.clock.advance(by: duration)
        try run()
    }

    /// Whether nothing happens until an external event.
    func isIdle() throws -> Bool { try !loop.turn(timeout: .zero) }

    /// A new client, whose connection is served.
    ///
    /// - Parameters:
    ///   - process: its process.
    ///   - inspection: by how much the clock advances with each inspection of its peer, of which each request has one
    ///     at least.
    func connect(
        greets: Bool = true, as app: String = "org.example.Shop", of process: Int32 = 1, inspection: Duration = .zero
    ) throws -> TestClient {
        var both: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &both) == 0)
        let (own, components, clock) = (both[1], components, service.clock)
        newestDescriptor = own
        engine.assumeIsolated { engine in
            let peer = Peer(
                evidence: .plainProcess, confirm: { clock.advance(by: inspection) },
                contentHash: String(repeating: "ab", count: 32))
            _ = components.table.add(own, peer, as: .process(process), early: 0, engine)
        }
        let client = TestClient(both[0])
        if greets {
            client.send([Line.hello(app)].lines)
            try run()
            #expect(try client.answers() == ["1"])
        }
        return client
    }

    /// One for which an item of `Limits.itemDataBytes` is stored, under the account `long`.
    func connectWithLongItem() throws -> TestClient {
        let client = try connect()
        client.send([Line.item(2, "long", bytes: 32 * 1024)].lines)
        try run()
        #expect(try client.answers() == ["2"])
        return client
    }

    /// Makes another thread use the vault, until the work is released.
    func holdVault() throws -> HeldWork {
        let administrator = try connect(as: "org.autofilld.autofillctl")
        defer { administrators.append(administrator) }
        let before = service.parts.work.count
        service.parts.work.holdsNew = true
        defer { service.parts.work.holdsNew = false }
        administrator.send([Line.check(2)].lines)
        try run()
        return try #require(service.parts.work.held(after: before))
    }

    private var administrators: [TestClient] = []
    /// The engine's end of the newest connection.
    private(set) var newestDescriptor: Int32 = -1

    func release(_ work: HeldWork) throws {
        service.parts.work.release(work)
        try run()
    }

    /// The connections as they are, in no order.
    var connections: [Connection] {
        var all: [Connection] = []
        table.forEach { all.append($0) }
        return all
    }

    func stopAll() {
        let components = components
        engine.assumeIsolated { engine in components.table.forEach { $0.stop(engine) } }
    }

    func checkSilence() throws {
        let components = components
        engine.assumeIsolated { engine in components.table.forEach { $0.checkSilence(engine) } }
        try run()
    }
}

extension TestService {
    /// A service whose user is the test, with a password saved for shop.example.com.
    static func withPassword(location: VaultLocation = .memory) throws -> TestService {
        let service = try TestService(location: location, consent: .user)
        let user = service.connect()
        try user.hello("org.autofilld.autofillctl")
        let saved = try user.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        #expect(saved.error == nil)
        try user.disconnect()
        return service
    }

    /// The user allows all requests, once.
    func allowAll() throws {
        for question in questions { try answer(question, .once) }
    }
}

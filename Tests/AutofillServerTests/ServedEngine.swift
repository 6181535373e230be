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

/// The server's own parts with the whole service behind them, on a loop whose clock is moved by hand. For shop.example.com
/// a password is saved, which no app may have without being asked about.
final class ServedEngine {
    let service: TestService
    private let parts: Parts

    // Proof for `@unchecked`: used between turns, by the one thread that makes them.
    private final class Parts: @unchecked Sendable {
        let table: ConnectionTable
        let departures: Departures
        let told = Told()

        init(on engine: isolated AutofillEngine) {
            let told = told
            table = ConnectionTable(Admission(descriptors: 1000), PassedDescriptors(pool: engine.pool))
            departures = Departures(of: table, record: { told.journal += $0 }, reportFault: { _ in told.faults += 1 })
            departures.start(engine)
            table.start(engine)
        }
    }

    final class Told {
        /// What went to the journal.
        fileprivate(set) var journal: [JournalEvent] = []
        fileprivate(set) var faults = 0
    }

    init(location: VaultLocation = .memory) throws {
        service = try .withPassword(location: location)
        parts = service.engine.assumeIsolated { Parts(on: $0) }
        service.leave { [weak table = parts.table] in table?.turns.armEnd() }
    }

    /// Breaks the circle of engine and server.
    deinit {
        parts.departures.stop()
        parts.table.stop()
    }

    var engine: AutofillEngine { service.engine }
    var loop: EventLoop { engine.loop }
    var table: ConnectionTable { parts.table }
    var told: Told { parts.told }

    /// All that can be done now is done, looks at files and work on the vault too, unless it is held.
    func run() throws { try service.settle() }

    /// The same without looks at files and without work: those who wait for one go on waiting.
    func runLoop() throws { try loop.runUntilIdle() }

    /// Runs after the clock went on.
    func run(after duration: Duration) throws {
        service.clock.advance(by: duration)
        try run()
    }

    /// Whether nothing happens until something comes from outside.
    func isIdle() throws -> Bool { try !loop.turn(timeout: .zero) }

    /// A new client, whose connection is served.
    ///
    /// - Parameters:
    ///   - process: whose it is.
    ///   - look: by how much the clock goes on with each look at its peer, of which each request has one at least.
    func connect(
        greets: Bool = true, as app: String = "org.example.Shop", of process: Int32 = 1, look: Duration = .zero
    ) throws -> TestClient {
        var both: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &both) == 0)
        let (own, parts, clock) = (both[1], parts, service.clock)
        engine.assumeIsolated { engine in
            let peer = Peer(
                evidence: .plainProcess, confirm: { clock.advance(by: look) },
                contentHash: String(repeating: "ab", count: 32))
            _ = parts.table.add(own, peer, as: .process(process), early: 0, engine)
        }
        let client = TestClient(both[0])
        if greets {
            client.send([Line.hello(app)].lines)
            try run()
            #expect(try client.answers() == ["1"])
        }
        return client
    }

    /// One for which something of `Limits.itemDataBytes` is kept, under the account `long`.
    func connectWithLongItem() throws -> TestClient {
        let client = try connect()
        client.send([Line.item(2, "long", bytes: 32 * 1024)].lines)
        try run()
        #expect(try client.answers() == ["2"])
        return client
    }

    /// Has another thread take the vault, until the work is released.
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
        let parts = parts
        engine.assumeIsolated { engine in parts.table.forEach { $0.stop(engine) } }
    }

    func lookForSilence() throws {
        let parts = parts
        engine.assumeIsolated { engine in parts.table.forEach { $0.lookForSilence(engine) } }
        try run()
    }
}

extension TestService {
    /// A service whose person is the test, with a password saved for shop.example.com.
    static func withPassword(location: VaultLocation = .memory) throws -> TestService {
        let service = try TestService(location: location, consent: .person)
        let person = service.connect()
        try person.hello("org.autofilld.autofillctl")
        let saved = try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        #expect(saved.error == nil)
        try person.disconnect()
        return service
    }

    /// The person allows all that is asked, this once.
    func allowAll() throws {
        for question in questions { try answer(question, .once) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Foundation
import Glibc
import PeerInspection
import Support
import TestGround
import Testing

@testable import AutofillServer

@Suite("Who connects", .timeLimit(.minutes(10)))
struct ArrivalTests {
    // Proof for `@unchecked`: used between turns, by the one thread that makes them.
    private final class Parts: @unchecked Sendable {
        let admission: Admission
        let arrivals: Arrivals
        let pool: WorkerPool
        var served: [Int32] = []

        init(_ loop: EventLoop, files: WorkLimits, admission: Admission, runner: WorkerPool.Runner? = nil) {
            pool = WorkerPool(on: loop, limits: { $0 == .files ? files : .standard($0) }, runner: runner)
            self.admission = admission
            arrivals = Arrivals(
                .ofThisProcess(environment: [:]), pool, ContentHashes(on: loop, pool: pool, longest: 0), admission)
        }

        func add(_ descriptor: Int32, _ engine: isolated AutofillEngine) {
            admission.enter()
            arrivals.add(descriptor, engine) { known, _, _ in self.served.append(known.descriptor) }
        }
    }

    private func pair() throws -> (Int32, TestClient) {
        var both: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &both) == 0)
        return (both[0], TestClient(both[1]))
    }

    @Test("Connections of one process are served in the order in which they came")
    func order() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let loop = engine.loop
        let parts = Parts(loop, files: .standard(.files), admission: Admission(descriptors: 2000))
        var all: [Int32] = []
        for _ in 0..<200 {
            let (descriptor, client) = try pair()
            client.close()
            all.append(descriptor)
            engine.assumeIsolated { parts.add(descriptor, $0) }
        }
        #expect(try loop.run { parts.arrivals.isEmpty })
        #expect(parts.served == all)
        for descriptor in all { close(descriptor) }
    }

    @Test("A look that does not end in time is refused, and its place given back")
    func late() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let loop = engine.loop
        let never = WorkLimits(running: 0, stuck: 1, waiting: 10)
        let parts = Parts(loop, files: never, admission: Admission(descriptors: 0))
        let (first, firstClient) = try pair()
        let (second, secondClient) = try pair()
        engine.assumeIsolated { engine in
            parts.add(first, engine)
            parts.add(second, engine)
        }
        #expect(!parts.admission.hasRoom)
        for _ in 0..<2 {
            try loop.runUntilIdle()
            service.clock.advance(by: .milliseconds(Limits.fileLookMilliseconds))
        }
        try loop.runUntilIdle()
        for client in [firstClient, secondClient] {
            let lines = client.lines()
            #expect(lines.count == 1 && lines[0].contains("identity-mismatch") && client.isEnded)
            #expect(lines[0].contains("Try again: The program that connected could not be looked at in time"))
            #expect(lines[0].contains(#""retry":"afterDelay""#))
        }
        #expect(parts.admission.hasRoom && parts.arrivals.isEmpty && parts.served.isEmpty)
    }

    @Test("A process whose look is not back gets no other one until it is, and takes no other thread")
    func hung() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let loop = engine.loop
        let parts = Parts(loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        func connect() throws -> (Int32, TestClient) {
            let (descriptor, client) = try pair()
            engine.assumeIsolated { parts.add(descriptor, $0) }
            try loop.runUntilIdle()
            return (descriptor, client)
        }
        let (_, first) = try connect()
        service.clock.advance(by: .milliseconds(Limits.fileLookMilliseconds))
        try loop.runUntilIdle()
        #expect(first.lines().count == 1 && first.isEnded)
        for _ in 0..<10 {
            let (_, client) = try connect()
            let lines = client.lines()
            #expect(lines.count == 1 && lines[0].contains("identity-mismatch") && client.isEnded)
        }
        #expect(held.work.count == 1 && parts.pool.stuck(.files) == 1)
        held.runFirst()
        let (last, client) = try connect()
        #expect(held.work.count == 1 && parts.served.isEmpty)
        // The look, and where this program is a user's the reading of it.
        while !held.work.isEmpty {
            held.runFirst()
            try loop.runUntilIdle()
        }
        #expect(parts.arrivals.isEmpty && parts.served == [last] && !client.isEnded)
        close(last)
    }

    @Test("A thread that is late has the connection itself until it is back, and no other's of the same number")
    func ownDescriptors() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let parts = Parts(
            engine.loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        let (descriptor, client) = try pair()
        let socket = try #require(Self.socket(of: descriptor))
        engine.assumeIsolated { parts.add(descriptor, $0) }
        try engine.loop.runUntilIdle()
        service.clock.advance(by: .milliseconds(Limits.fileLookMilliseconds))
        try engine.loop.runUntilIdle()
        #expect(client.lines().count == 1 && client.isEnded)
        #expect(Self.socket(of: descriptor) != socket, "its owner has closed it")
        #expect(Self.isOpen(socket))
        held.runFirst()
        try engine.loop.runUntilIdle()
        #expect(!Self.isOpen(socket))
    }

    /// What a descriptor of this process is, by name.
    private static func socket(of descriptor: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    private static func isOpen(_ name: String) -> Bool {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return open.compactMap { Int32($0) }.contains { socket(of: $0) == name }
    }

    @Test("Where there is no thread for a look it may be tried again")
    func busy() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let none = WorkLimits(running: 0, stuck: 0, waiting: 0)
        let parts = Parts(engine.loop, files: none, admission: Admission(descriptors: 2000))
        let (descriptor, client) = try pair()
        engine.assumeIsolated { parts.add(descriptor, $0) }
        try engine.loop.runUntilIdle()
        let lines = client.lines()
        #expect(lines.count == 1 && lines[0].contains("too-many-connections") && client.isEnded)
    }

    @Test("Of one process no more connections wait to be looked at than it may have")
    func share() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let admission = Admission(descriptors: 64 + 3 * 8)
        let parts = Parts(engine.loop, files: .standard(.files), admission: admission, runner: held.take)
        let all = try (0..<10).map { _ in try pair() }
        for (descriptor, _) in all { engine.assumeIsolated { parts.add(descriptor, $0) } }
        // One is looked at; seven eighths of eight places wait.
        for (number, pair) in all.enumerated() {
            let lines = pair.1.lines()
            #expect(lines.count == (number < 8 ? 0 : 1) && pair.1.isEnded == (number >= 8), "\(number)")
        }
        while !held.work.isEmpty {
            held.runFirst()
            try engine.loop.runUntilIdle()
        }
        #expect(try engine.loop.run { parts.arrivals.isEmpty })
        #expect(parts.served == all.prefix(7).map(\.0))
        for descriptor in parts.served { close(descriptor) }
    }

    @Test("A client that finds no room waits in the backlog, and is taken when there is some")
    func room() throws {
        let clock = ManualClock()
        let loop = try EventLoop(clocks: clock.clocks)
        let directory = try TemporaryDirectory()
        let socket = try ListeningSocket(directory.path + "/socket")
        let admission = Admission(descriptors: 0)
        let taken = Taken()
        let listener = try Listener(socket.descriptor, on: loop, admission) { taken.descriptors.append($0) }
        let clients = try (0..<3).map { _ in TestClient(try socket.connect()) }
        try loop.runUntilIdle()
        #expect(taken.descriptors.count == 2)
        #expect(try !loop.turn(timeout: .zero), "it does not spin")
        admission.leave()
        clock.advance(by: .milliseconds(150))
        try loop.runUntilIdle()
        #expect(taken.descriptors.count == 3)
        for descriptor in taken.descriptors { close(descriptor) }
        withExtendedLifetime((listener, clients)) {}
    }
}

private final class Taken { var descriptors: [Int32] = [] }

/// Work that begins and ends when the test says so.
final class Held {
    private(set) var work: [@Sendable () -> Void] = []

    func take(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) { self.work.append(work) }

    func runFirst() { work.removeFirst()() }
}

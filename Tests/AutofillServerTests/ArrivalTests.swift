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

@Suite("Arriving connections", .timeLimit(.minutes(10)))
struct ArrivalTests {
    // Invariant for `@unchecked`: used between turns, by the one thread that makes them.
    private final class Components: @unchecked Sendable {
        let admission: Admission
        let arrivals: Arrivals
        let pool: WorkerPool
        var served: [Int32] = []
        /// Whether a connection ends once it is served.
        var closesServed = false

        init(_ loop: EventLoop, files: WorkLimits, admission: Admission, runner: WorkerPool.Runner? = nil) {
            pool = WorkerPool(on: loop, limits: { $0 == .files ? files : .standard($0) }, runner: runner)
            self.admission = admission
            arrivals = Arrivals(
                .ofThisProcess(environment: [:]), pool, ContentHashes(on: loop, pool: pool, longest: 0), admission,
                PassedDescriptors(pool: pool))
        }

        func add(_ descriptor: Int32, _ engine: isolated AutofillEngine) {
            admission.enter()
            arrivals.add(descriptor, engine) { inspected, _, _ in
                self.served.append(inspected.descriptor)
                guard self.closesServed else { return }
                self.admission.leave(inspected.program)
                close(inspected.descriptor)
            }
        }
    }

    private func pair() throws -> (Int32, TestClient) {
        var both: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &both) == 0)
        return (both[0], TestClient(both[1]))
    }

    @Test("Connections of one process are served in the order in which they arrived")
    func order() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let loop = engine.loop
        let components = Components(loop, files: .standard(.files), admission: Admission(descriptors: 2000))
        var all: [Int32] = []
        for _ in 0..<200 {
            let (descriptor, client) = try pair()
            client.close()
            all.append(descriptor)
            engine.assumeIsolated { components.add(descriptor, $0) }
        }
        #expect(try loop.run { components.arrivals.isEmpty })
        #expect(components.served == all)
        for descriptor in all { close(descriptor) }
    }

    @Test("A peer whose inspection does not end in time is refused, and no longer counted")
    func late() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let loop = engine.loop
        let never = WorkLimits(running: 0, stuck: 1, waiting: 10)
        let components = Components(loop, files: never, admission: Admission(descriptors: 0))
        let (first, firstClient) = try pair()
        let (second, secondClient) = try pair()
        engine.assumeIsolated { engine in
            components.add(first, engine)
            components.add(second, engine)
        }
        #expect(!components.admission.hasCapacity)
        for _ in 0..<2 {
            try loop.runUntilIdle()
            service.clock.advance(by: .milliseconds(Limits.fileLookMilliseconds))
        }
        try loop.runUntilIdle()
        for client in [firstClient, secondClient] {
            let lines = client.lines()
            #expect(lines.count == 1 && lines[0].contains("identity-mismatch") && client.isEnded)
            #expect(lines[0].contains("Try again: The program that connected could not be inspected in time"))
            #expect(lines[0].contains(#""retry":"afterDelay""#))
        }
        #expect(components.admission.hasCapacity && components.arrivals.isEmpty && components.served.isEmpty)
    }

    @Test("A process whose inspection has not ended gets no other one until it ends, and uses no other thread")
    func hung() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let loop = engine.loop
        let components = Components(
            loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        func connect() throws -> (Int32, TestClient) {
            let (descriptor, client) = try pair()
            engine.assumeIsolated { components.add(descriptor, $0) }
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
        #expect(held.work.count == 1 && components.pool.stuck(.files) == 1)
        held.runFirst()
        let (last, client) = try connect()
        #expect(held.work.count == 1 && components.served.isEmpty)
        // The inspection, and where this program is a user's the reading of it.
        try held.runAll(on: loop)
        #expect(components.arrivals.isEmpty && components.served == [last] && !client.isEnded)
        close(last)
    }

    @Test(
        "While the inspection of a program in a sandbox hangs no other one's of its mounts begins, and all others' do",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"))
    func sandboxes() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let loop = engine.loop
        let components = Components(
            loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        func add(_ descriptor: Int32) throws {
            engine.assumeIsolated { components.add(descriptor, $0) }
            try loop.runUntilIdle()
        }
        let (hostile, other) = (try ApartProcesses(2), try ApartProcesses(1))
        try add(hostile.connection(of: 0))
        service.clock.advance(by: .milliseconds(Limits.fileLookMilliseconds))
        try loop.runUntilIdle()
        #expect(held.lanes == [.sandboxes])
        #expect(components.pool.stuck(.sandboxes) == 1 && components.pool.stuck(.files) == 0)
        try add(hostile.connection(of: 1))
        #expect(!held.lanes.dropFirst().contains(.sandboxes))
        let sandboxed = other.connection(of: 0)
        try add(sandboxed)
        #expect(held.lanes.count { $0 == .sandboxes } == 2)
        let (outside, client) = try pair()
        try add(outside)
        #expect(held.lanes.last == .files)
        try held.runAll(on: loop)
        #expect(components.arrivals.isEmpty && Set(components.served) == [sandboxed, outside] && !client.isEnded)
        for descriptor in components.served { close(descriptor) }
    }

    @Test(
        "Programs in sandboxes are inspected on threads of their own, one connection at a time; one outside waits for none",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"))
    func ownThreads() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let components = Components(
            engine.loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        let apart = try ApartProcesses(6)
        for connection in 0..<120 {
            let descriptor = apart.connection(of: connection % 6)
            engine.assumeIsolated { components.add(descriptor, $0) }
        }
        #expect(held.lanes == [.sandboxes, .sandboxes])
        let (outside, client) = try pair()
        engine.assumeIsolated { components.add(outside, $0) }
        #expect(held.lanes == [.sandboxes, .sandboxes, .files])
        held.runFirst()
        try engine.loop.runUntilIdle()
        #expect(components.served.count == 1, "the other connections of its process wait")
        try held.runAll(on: engine.loop)
        #expect(components.arrivals.isEmpty && components.served.count == 121 && !client.isEnded)
        for descriptor in components.served { close(descriptor) }
    }

    @Test(
        "Connections of programs in sandboxes that wait for their inspections are no more than one sandboxed app may have",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"))
    func waitingSandboxes() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let components = Components(
            engine.loop, files: .standard(.files), admission: Admission(descriptors: 100_000), runner: held.take)
        components.closesServed = true
        let apart = try ApartProcesses(2)
        for round in 1...2 {
            for connection in 0..<Limits.connectionsPerSandbox + 4 {
                let descriptor = apart.connection(of: connection % 2)
                engine.assumeIsolated { components.add(descriptor, $0) }
            }
            try held.runAll(on: engine.loop)
            #expect(components.arrivals.isEmpty)
            #expect(components.served.count == round * Limits.connectionsPerSandbox)
        }
    }

    @Test("A thread that is late has the connection itself until it returns, and no other's of the same number")
    func ownDescriptors() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let components = Components(
            engine.loop, files: .standard(.files), admission: Admission(descriptors: 2000), runner: held.take)
        let (descriptor, client) = try pair()
        let socket = try #require(Self.socket(of: descriptor))
        engine.assumeIsolated { components.add(descriptor, $0) }
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

    @Test("Where there is no thread for an inspection it may be tried again")
    func busy() throws {
        let service = try TestService(isCreated: false)
        let engine = service.engine
        let none = WorkLimits(running: 0, stuck: 0, waiting: 0)
        let components = Components(engine.loop, files: none, admission: Admission(descriptors: 2000))
        let (descriptor, client) = try pair()
        engine.assumeIsolated { components.add(descriptor, $0) }
        try engine.loop.runUntilIdle()
        let lines = client.lines()
        #expect(lines.count == 1 && lines[0].contains("too-many-connections") && client.isEnded)
    }

    @Test("No more connections of one process wait for an inspection than it may have")
    func quota() throws {
        let service = try TestService(isCreated: false)
        let (engine, held) = (service.engine, Held())
        let admission = Admission(descriptors: 64 + 3 * 8)
        let components = Components(engine.loop, files: .standard(.files), admission: admission, runner: held.take)
        let all = try (0..<10).map { _ in try pair() }
        for (descriptor, _) in all { engine.assumeIsolated { components.add(descriptor, $0) } }
        // One is inspected; seven eighths of eight wait.
        for (number, pair) in all.enumerated() {
            let lines = pair.1.lines()
            #expect(lines.count == (number < 8 ? 0 : 1) && pair.1.isEnded == (number >= 8), "\(number)")
        }
        try held.runAll(on: engine.loop)
        #expect(try engine.loop.run { components.arrivals.isEmpty })
        #expect(components.served == all.prefix(7).map(\.0))
        for descriptor in components.served { close(descriptor) }
    }

    @Test("A client beyond the limit waits in the backlog, and is accepted when there is capacity")
    func capacity() throws {
        let clock = ManualClock()
        let loop = try EventLoop(clocks: clock.clocks)
        let directory = try TemporaryDirectory()
        let socket = try ListeningSocket(directory.path + "/socket")
        let admission = Admission(descriptors: 0)
        let accepted = Accepted()
        let listener = try Listener(socket.descriptor, on: loop, admission) { accepted.descriptors.append($0) }
        let clients = try (0..<3).map { _ in TestClient(try socket.connect()) }
        try loop.runUntilIdle()
        #expect(accepted.descriptors.count == 2)
        #expect(try !loop.turn(timeout: .zero), "it does not spin")
        admission.leave()
        clock.advance(by: .milliseconds(150))
        try loop.runUntilIdle()
        #expect(accepted.descriptors.count == 3)
        for descriptor in accepted.descriptors { close(descriptor) }
        withExtendedLifetime((listener, clients)) {}
    }
}

private final class Accepted { var descriptors: [Int32] = [] }

/// Programs in one new pair of user and mount namespaces, stopped once they have connected.
private final class ApartProcesses {
    private let folder: TemporaryDirectory
    private let process = Process()
    private var connections: [Int32] = []
    private var members: [pid_t] = []

    init(_ count: Int) throws {
        folder = try TemporaryDirectory()
        let path = folder.path + "/socket"
        let socket = try ListeningSocket(path)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let fixture = URL(fileURLWithPath: program).deletingLastPathComponent().appending(path: "peer-fixture").path
        let script = String(repeating: #""$0" "$1" & "#, count: count) + "wait"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--user", "--mount", "/bin/sh", "-c", script, fixture, path]
        try process.run()
        for _ in 0..<count {
            let accepted = accept(socket.descriptor, nil, nil)
            try #require(accepted >= 0 && fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0)
            connections.append(accepted)
            // Process, user and group.
            var credentials: [Int32] = [0, 0, 0]
            var length = socklen_t(12)
            let isRead = getsockopt(accepted, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0
            try #require(isRead && credentials[0] > 0)
            members.append(credentials[0])
            try #require(kill(credentials[0], SIGSTOP) == 0)
        }
    }

    /// A new descriptor of a program's connection; its owner is what it is handed to.
    func connection(of member: Int) -> Int32 { fcntl(connections[member], F_DUPFD_CLOEXEC, 0) }

    deinit {
        // The shell has SIGTERM and SIGCHLD blocked, as the thread that started it, and would wait for ever.
        for member in members + [process.processIdentifier] { kill(member, SIGKILL) }
        for connection in connections { close(connection) }
    }
}

/// Work that begins and ends under the test's control.
final class Held {
    private(set) var work: [@Sendable () -> Void] = []
    /// The lanes of all work so far.
    private(set) var lanes: [WorkLane] = []

    func take(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) {
        lanes.append(lane)
        self.work.append(work)
    }

    func runFirst() { work.removeFirst()() }

    /// Also what follows from it.
    func runAll(on loop: EventLoop) throws {
        while !work.isEmpty {
            runFirst()
            try loop.runUntilIdle()
        }
    }
}

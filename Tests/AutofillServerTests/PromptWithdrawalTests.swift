// SPDX-License-Identifier: Apache-2.0
import AutofillServer
import AutofillService
import Foundation
import PeerInspection
import Prompting
import Support
import Synchronization
import TestGround
import Testing

/// Real sockets and a real server; the person is the test.
@Suite("An app that goes takes its prompt away", .blocking, .timeLimit(.minutes(5)))
struct PromptWithdrawalTests {
    @Test("It hangs up")
    func hangUp() async throws {
        try await TestServer.during { service in
            let app = try service.askingApp()
            try await service.awaitOrder("start")
            app.close()
            try await service.awaitOrder("drop")
        }
    }

    @Test("It has ended its input, waits, and hangs up")
    func halfClosed() async throws {
        try await TestServer.during { service in
            let app = try service.askingApp()
            try await service.awaitOrder("start")
            app.endInput()
            let other = try service.connect()
            #expect(try other.line().contains("result"), "the half-closed one still waits")
            #expect(service.orders == ["start"])
            app.close()
            try await service.awaitOrder("drop")
        }
    }

    @Test("It hangs up while it is not read, because it does not read its answers")
    func paused() async throws {
        try await TestServer.during { service in
            let app = try service.askingApp()
            try await service.awaitOrder("start")
            // More than the limit of unread answers: at the end the server takes no more.
            let status = Array((#"{"jsonrpc":"2.0","id":9,"method":"status"}"# + "\n").utf8)
            let flood = [UInt8]((0..<20_000).flatMap { _ in status })
            let sent = flood.withUnsafeBytes { send(app.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            #expect(sent > 0)
            let other = try service.connect()
            #expect(try other.line().contains("result"))
            app.close()
            try await service.awaitOrder("drop")
        }
    }

    @Test(
        "It ends while its child keeps the connection open",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
    func ended() async throws {
        try await TestServer.during { service in
            let script = """
                import os, socket, sys
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
                s.sendall(b'''\(TestServer.hello)
                \(TestServer.get)
                ''')
                s.recv(1)
                if os.fork():
                    sys.stdin.read(1)
                    os._exit(0)
                # What the test's own process watches it by is not the child's to keep open.
                for other in range(3, 256):
                    if other != s.fileno():
                        try: os.close(other)
                        except OSError: pass
                while s.recv(65536): pass
                """
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-c", script, service.path]
            let input = Pipe()
            process.standardInput = input
            try process.run()
            try await service.awaitOrder("start")
            try await service.lookForEnded()
            #expect(service.orders == ["start"])
            try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
            process.waitUntilExit()
            try await service.lookForEnded()
            try await service.awaitOrder("drop")
        }
    }
}

/// A server on a socket of its own, with something saved that nobody may have without being asked.
final class TestServer: Sendable {
    static let hello =
        #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"bundleID":"org.example.Shop","protocol":{"min":1,"max":1}}}"#
    static let get =
        #"{"jsonrpc":"2.0","id":2,"method":"credential.get","params":{"service":{"type":"domain","value":"shop.example.com"}}}"#

    let path: String
    private let directory: TemporaryDirectory
    private let server: SocketServer
    private let record: OrderRecord

    /// A server for a test, which is stopped however the test ends.
    static func during(_ test: (TestServer) async throws -> Void) async throws {
        let service = try await TestServer()
        do {
            try await test(service)
        } catch {
            try? await service.server.stop()
            throw error
        }
        try await service.server.stop()
    }

    private init() async throws {
        let record = OrderRecord()
        self.record = record
        directory = try TemporaryDirectory()
        path = directory.path + "/s"
        let descriptor = try Self.listener(at: path)
        server = try await SocketServer(
            descriptors: [descriptor], inspector: .ofThisProcess(environment: [:]),
            makeBroker: {
                let broker = try TestBroker(consent: .person)
                let person = broker.connect()
                try person.hello("org.autofilld.autofillctl")
                try person.call(
                    "credential.save",
                    ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
                return broker.broker
            }, record: { _ in }, runErrand: { record.note($0) }, reportFault: { _ in })
        server.start()
    }

    private static func listener(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) } == 0
        }
        try #require(isBound && listen(descriptor, 16) == 0)
        return descriptor
    }

    /// What the outside was told to do about prompts, in the order in which it was told.
    var orders: [String] { record.orders.withLock { $0 } }

    /// A connection that has said hello; its answer has not been read.
    func connect() throws -> SocketConnection {
        let connection = try SocketConnection(to: path)
        try connection.send(Self.hello)
        return connection
    }

    /// An app that waits for the person.
    func askingApp() throws -> SocketConnection {
        let app = try connect()
        _ = try app.line()
        try app.send(Self.get)
        return app
    }

    /// Waits for an order that has not been waited for.
    func awaitOrder(_ order: String) async throws {
        for await next in record.coming where next == order { return }
        Issue.record("no \(order), but \(orders)")
    }

    func lookForEnded() async throws { try await server.perform { $0.endPromptsOfEnded() } }
}

private final class OrderRecord: Sendable {
    let orders = Mutex<[String]>([])
    /// The same one by one, for the one that waits for them.
    let coming: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (coming, continuation) = AsyncStream.makeStream() }

    func note(_ order: ErrandOrder) {
        switch order {
        case .start(.consent): add("start")
        case .drop(.consent): add("drop")
        default: break
        }
    }

    private func add(_ order: String) {
        orders.withLock { $0.append(order) }
        continuation.yield(order)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Many clients, and clients that misbehave. With AUTOFILL_FULL=1 ten times as many.
@Suite("Load", .serialized, .blocking)
struct LoadTests {
    private static let factor = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 10 : 1
    private static let status = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"status\"}"

    init() { Descriptors.raiseLimit() }

    private func connect(_ count: Int, to daemon: DaemonProcess) throws -> [SocketConnection] {
        try (0..<count).map { _ in
            let connection = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
            try connection.hello()
            return connection
        }
    }

    /// Waits until the daemon has no more than `count` clients: it notices the end of each by itself.
    private func waitForClients(_ count: Int, _ observer: SocketConnection) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while try observer.call("status").daemon?["clients"] as? Int ?? .max > count {
            guard Date() < deadline else { throw SocketConnection.Failure.timedOut }
            usleep(10_000)
        }
    }

    /// How many clients `thousand` has. A program's quota is seven eighths of the daemon's connections, of three descriptors each.
    private static let clients = 1000 * min(factor, 5)

    @Test(
        "A thousand clients that ask at once are all answered, each with its own answer",
        .enabled(if: Descriptors.limit > clients * 7 / 2, "needs a higher limit of open files: ulimit -Hn"))
    func thousand() throws {
        let daemon = try DaemonProcess()
        let clients = try connect(Self.clients, to: daemon)
        for (number, client) in clients.enumerated() {
            try client.send("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"status\"}")
        }
        for (number, client) in clients.enumerated() {
            let line = try client.line()
            if !line.contains("\"id\":\(number),") { Issue.record("client \(number) got \(line.prefix(60))") }
        }
    }

    @Test("Clients that disconnect before or after hello, with or without unanswered requests, leave nothing behind")
    func storm() throws {
        let daemon = try DaemonProcess()
        let observer = try connect(1, to: daemon)[0]
        for number in 0..<(500 * Self.factor) {
            let client = try SocketConnection(to: daemon.socket)
            if number % 2 == 0 { try client.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,".utf8)) }
            if number % 3 == 0 {
                _ = try? client.hello()
                for _ in 0..<10 { try? client.send(Self.status) }
            }
            client.close()
        }
        // Accepted after all the others: from now on the count can only decrease.
        let last = try connect(1, to: daemon)[0]
        try waitForClients(2, observer)
        #expect(try last.call("status").daemon?["clients"] as? Int == 2)
    }

    @Test("Clients that write or read a byte at a time are served, and delay nobody")
    func slow() throws {
        let daemon = try DaemonProcess()
        let slow = try connect(4, to: daemon)
        let other = try connect(1, to: daemon)[0]
        let line = Array((Self.status + "\n").utf8)
        for byte in line {
            for client in slow { try client.send([byte]) }
            #expect(try TestAnswer(try other.exchange(Self.status)).result != nil)
        }
        for client in slow {
            var byte: UInt8 = 0
            var answer: [UInt8] = []
            while byte != 0x0A, recv(client.descriptor, &byte, 1, 0) == 1 { answer.append(byte) }
            #expect(try TestAnswer(String(decoding: answer, as: UTF8.self)).result != nil)
        }
    }

    @Test("A line of exactly the limit is read, one of a byte more is refused, by any number of clients at once")
    func limit() throws {
        let daemon = try DaemonProcess()
        let clients = try connect(20, to: daemon)
        let start = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":{\"x\":\""
        func line(_ length: Int) -> String {
            start + String(repeating: "y", count: length - start.utf8.count - 3) + "\"}}"
        }
        for client in clients { try client.send(line(64 * 1024)) }
        for client in clients { #expect(try TestAnswer(try client.line()).result != nil) }
        for client in clients { try client.send(line(64 * 1024 + 1)) }
        for client in clients { #expect(try TestAnswer(try client.line()).problem == "line-too-long") }
    }

    @Test("A flood of refused requests, by a program under many names, writes little into the journal")
    func flood() throws {
        let daemon = try DaemonProcess()
        var refused = 0
        let start = Date()
        for name in 0..<(40 * Self.factor) {
            let client = try SocketConnection(to: daemon.socket)
            try client.hello("org.example.Flood\(name)")
            for number in 0..<50 {
                let service = ["type": "domain", "value": "site\(number).example.com"]
                if try client.call("credential.get", ["service": service]).result == nil { refused += 1 }
            }
        }
        #expect(refused == 2000 * Self.factor)
        // 30 at once, and 3 a second for as long as this took, for the program under all its names; QuotaTests counts them.
        let lines = daemon.log().split(separator: "\n").count
        #expect(lines >= 30)
        #expect(lines <= 40 + Int(4 * Date().timeIntervalSince(start)))
    }

    @Test("Without free descriptors connected clients are served, and a new client is served when some are free")
    func descriptors() throws {
        // Enough for 64 clients, 56 of them of this process.
        let daemon = try DaemonProcess(descriptorLimit: 256)
        var served = try connect(56, to: daemon)
        for _ in 0..<100 {
            let refused = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
            #expect(try TestAnswer(try refused.line()).reasons == ["too-many-connections"])
        }
        for client in served { #expect(try client.call("status").result != nil) }
        let observer = served.removeLast()
        for client in served { client.close() }
        try waitForClients(1, observer)
        for client in try connect(55, to: daemon) { #expect(try client.call("status").result != nil) }
    }

    @Test("Memory that two hundred clients used is reused for the hundreds of clients after them")
    func memory() throws {
        let daemon = try DaemonProcess()
        let observer = try connect(1, to: daemon)[0]
        func round() throws {
            let clients = try connect(200, to: daemon)
            let half = [UInt8](repeating: UInt8(ascii: "x"), count: 40_000)
            for client in clients { try client.send(half) }
            for client in clients { client.endInput() }
            for client in clients { while (try? client.line()) != nil {} }
            try waitForClients(1, observer)
        }
        try round()
        let before = daemon.residentKibibytes
        for _ in 0..<(4 * Self.factor) { try round() }
        #expect(daemon.residentKibibytes < before + 24 * 1024)
    }
}

private enum Descriptors {
    /// How many the system permits this user.
    static let limit: Int = {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }()

    /// Raises the limit to that number.
    static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// The real daemon, and file systems of the user's programs that do not answer.
@Suite(
    "File systems that hang", .serialized, .blocking, .enabled(if: FuseFixture.isAvailable, "\(FuseFixture.need)"),
    .timeLimit(.minutes(10)))
struct HungFileSystemTests {
    private static let status = #"{"jsonrpc":"2.0","id":7,"method":"status"}"#
    private static let everything = Set(FuseFixture.Operation.allCases)

    /// How long 2000 round trips of a client take.
    private func timeOfRequests(_ client: SocketConnection) throws -> Duration {
        try ContinuousClock().measure {
            for _ in 0..<2000 {
                guard try client.exchange(Self.status).contains("result") else { throw SocketConnection.Failure.closed }
            }
        }
    }

    /// How long something may take that took `before` on its own: on a loaded machine the scheduler adds some delay.
    private func bound(_ before: Duration) -> Duration { before * 10 + .seconds(1) }

    /// attacks.md, a hostile program, 5
    @Test(
        "A program whose executable hangs is served or refused, others' requests take no longer, and the daemon shows that it lives"
    )
    func executable() throws {
        let manager = try ServiceManager()
        let daemon = try DaemonProcess(environment: [
            "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000",
        ])
        let other = try SocketConnection(to: daemon.socket)
        try other.hello()
        let before = try timeOfRequests(other)
        let served = try FuseFixture(files: [try .program("shop", copying: "/usr/bin/python3")])
        let program = try ServedProgram(served.path + "/shop", daemon.socket)
        try served.hang(Self.everything)
        manager.forget()
        try program.begin()
        #expect(try timeOfRequests(other) < bound(before))
        let answers = try program.answers()
        #expect(answers.count == 2)
        for answer in answers { #expect(answer.result != nil || !answer.reasons.isEmpty) }
        #expect(try timeOfRequests(other) < bound(before))
        let late = try SocketConnection(to: daemon.socket)
        #expect(try late.hello().result != nil)
        for _ in 0..<3 { #expect(try manager.awaitKeepAlive()) }
        try served.release()
        #expect(daemon.terminate() == 0)
    }

    @Test("A client that passes files that hang on close delays nobody; while too many hang, no more are accepted")
    func passedFiles() throws {
        let daemon = try DaemonProcess()
        let other = try SocketConnection(to: daemon.socket)
        try other.hello()
        let before = try timeOfRequests(other)
        let served = try FuseFixture(files: [FuseFixture.File("bait", [1])])
        let files = (0..<3).map { _ in open(served.path + "/bait", O_RDONLY | O_CLOEXEC) }
        try #require(files.allSatisfy { $0 >= 0 })
        try served.hang([.flush])
        let parameters: [String: Any] = ["bundleID": "org.example.Shop", "protocol": ["min": 1, "max": 1]]
        let hello = Array(try ServiceConnection.line("hello", parameters).utf8) + [0x0A]
        for _ in 0..<16 {
            let hostile = try SocketConnection(to: daemon.socket)
            try hostile.send(hello, with: files)
            #expect(try TestAnswer(try hostile.line()).result != nil, "a request that needs no descriptor is answered")
            #expect(try timeOfRequests(other) < bound(before))
        }
        #expect(try served.awaitHeld() > 0, "the daemon closes one")
        try served.release()
        for file in files { close(file) }
        #expect(daemon.terminate() == 0)
    }

    @Test("While the user's registrations hang others are greeted and answered, by what was registered before")
    func registrations() throws {
        let text = #"{"bundleID":"org.example.Diner","name":"Diner","executables":[],"entitlements":{}}"#
        let served = try FuseFixture(files: [FuseFixture.File("org.example.Diner.json", Array(text.utf8))])
        let daemon = try DaemonProcess(arguments: ["--registrations", served.path])
        let client = try SocketConnection(to: daemon.socket)
        #expect(try client.hello().result != nil)
        let before = try timeOfRequests(client)
        try served.hang(Self.everything)
        // More than there are threads for inspections of files, each of which may hang until its deadline.
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<24 {
            let late = try SocketConnection(to: daemon.socket)
            let answer = try late.hello(number.isMultiple(of: 2) ? "org.example.Shop" : "org.example.Diner")
            #expect(answer.result != nil, "\(number): \(answer.reasons)")
            #expect(try late.call("status").result != nil)
        }
        // An inspection that hangs takes two seconds: 24 of them, one after the other, 48.
        #expect(clock.now - start < .seconds(30), "the clients do not each wait for an inspection")
        #expect(try timeOfRequests(client) < bound(before))
        try served.release()
        #expect(try SocketConnection(to: daemon.socket).hello("org.example.Diner").result != nil)
        #expect(daemon.terminate() == 0)
    }
}

/// The service manager's side of sd_notify(3): receives the daemon's watchdog messages.
private final class ServiceManager {
    let path: String
    private let folder: TemporaryDirectory
    private let descriptor: Int32

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) } == 0
        }
        try #require(isBound)
    }

    deinit { close(descriptor) }

    private func next(milliseconds: Int32) -> String? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Drops the messages received so far.
    func forget() { while next(milliseconds: 0) != nil {} }

    /// Waits until the daemon feeds the watchdog.
    func awaitKeepAlive() throws -> Bool {
        while let text = next(milliseconds: 30_000) { if text.contains("WATCHDOG=1") { return true } }
        return false
    }
}

/// A program that runs from a file system of the user's, and sends the daemon requests on command.
private final class ServedProgram {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Returns when it runs and all of its file is in memory.
    init(_ program: String, _ socket: String) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = ["-c", Self.script, socket]
        process.environment = ["PYTHONHOME": "/usr"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try #require(output.fileHandleForReading.availableData == Data("ready\n".utf8))
    }

    deinit { if process.isRunning { process.terminate() } }

    func begin() throws { try input.fileHandleForWriting.write(contentsOf: Data("begin\n".utf8)) }

    /// The answers that it received; waits for its end.
    func answers() throws -> [TestAnswer] {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return try text.split(separator: "\n").map { try TestAnswer(String($0)) }
    }

    private static let script = #"""
        import socket, sys
        open("/proc/self/exe", "rb").read()
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(60)
        print("ready", flush=True)
        sys.stdin.readline()
        s.connect(sys.argv[1])
        f = s.makefile("rw")
        for line in [
            '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"bundleID":"org.example.Shop","protocol":{"min":1,"max":1}}}',
            '{"jsonrpc":"2.0","id":2,"method":"status"}',
        ]:
            f.write(line + "\n"); f.flush()
            print(f.readline(), end="", flush=True)
        """#
}

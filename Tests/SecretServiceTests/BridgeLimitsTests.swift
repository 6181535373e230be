// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "Past the limits of the bridge", .blocking, .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct BridgeLimitsTests {
    private static let limits = "org.freedesktop.DBus.Error.LimitsExceeded"
    static let hasCallers: Bool = (try? ForeignProgram("/usr/bin/python3", ["-c", "import jeepney"]))?.status == 0

    private func failure(_ result: Result<BusMessage, BusError>) -> String? {
        if case .failure(let error) = result { error.name } else { nil }
    }

    private func alias(_ client: BusClient) throws -> String? {
        failure(
            try client.call(SecretServiceNames.root, "Secret.Service", "ReadAlias") { message throws(BusError) in
                try message.append("default")
            })
    }

    @Test(
        "The permitted number of callers may have open objects; the next one is refused until one of them ends",
        .enabled(if: hasCallers, "python3-jeepney is not installed"))
    func callers() throws {
        let stage = try SecretStage()
        let processes = BridgeLimits.callers / BridgeLimits.callersPerProcess
        let callers = try Callers(stage, processes, each: BridgeLimits.callersPerProcess, opensSession: true)
        #expect(callers.answers == String(repeating: "y", count: processes), "\(stage.log)")
        #expect(try alias(BusClient(stage)) == Self.limits)
        let bridge = try stage.bridge()
        #expect(try callers.callAgain() == "y", "the other callers continue")
        try callers.endOne()
        let client = try BusClient(stage)
        while try alias(client) == Self.limits {}
        #expect(try alias(client) == nil && stage.bridge() == bridge)
    }

    @Test(
        "Of callers that have nothing open those that called least lately give way",
        .enabled(if: hasCallers, "python3-jeepney is not installed"))
    func idleCallers() throws {
        let stage = try SecretStage()
        let processes = BridgeLimits.callers / BridgeLimits.callersPerProcess + 1
        let callers = try Callers(stage, processes, each: BridgeLimits.callersPerProcess, opensSession: false)
        #expect(callers.answers == String(repeating: "y", count: processes), "\(stage.log)")
        #expect(try alias(BusClient(stage)) == nil)
        #expect(try callers.callAgain() == "y", "the first of all, which was forgotten")
    }

    @Test(
        "A caller that has items in memory of its own does not give way: they would end with it",
        .enabled(if: hasCallers, "python3-jeepney is not installed"))
    func callerWithItems() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        // As a connection that the program has inherited.
        try #require(fcntl(client.descriptor, F_SETFD, 0) == 0)
        let session = try client.session()
        let item = try client.make(["a": "1"], in: "session", session: session)
        #expect(failure(try client.call(session, "Secret.Session", "Close")) == nil)
        let processes = BridgeLimits.callers / BridgeLimits.callersPerProcess + 1
        let callers = try Callers(stage, processes, each: BridgeLimits.callersPerProcess, opensSession: false)
        #expect(callers.answers == String(repeating: "y", count: processes), "\(stage.log)")
        #expect(try client.search(["a": "1"]).unlocked == [item])
    }

    @Test("The objects of one call are limited; other calls are served")
    func objects() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let paths = (0...BridgeLimits.objectsPerCall).map { "\(SecretServiceNames.root)/collection/login/itm_\($0)" }
        for member in ["Unlock", "Lock"] {
            let refused = try client.call(SecretServiceNames.root, "Secret.Service", member) {
                message throws(BusError) in
                try message.append(paths, type: "o")
            }
            #expect(failure(refused) == Self.limits)
        }
        #expect(try client.unlock(Array(paths.dropLast())).unlocked == [])
        #expect(try stage.lookup() == "aoao 0 0")
    }

    @Test(
        "Attributes and secrets that exceed the limits of an item are refused, whatever their size; the bridge continues"
    )
    func sizes() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let bridge = try stage.bridge()
        let many = Dictionary(uniqueKeysWithValues: (0...Limits.itemAttributes).map { ("n\($0)", "x") })
        for attributes in [many, ["n": String(repeating: "x", count: Limits.itemAttributesBytes)]] {
            #expect(throws: BusError.self) { try client.search(attributes) }
            #expect(throws: BusError.self) { try client.make(attributes, session: session) }
        }
        for bytes in [Limits.itemDataBytes + 1, 1 << 20, 16 << 20] {
            let path = SecretPath.collection(token: "login").text
            let refused = try client.call(path, "Secret.Collection", "CreateItem") { message throws(BusError) in
                try message.write("a", of: "{sv}") { () throws(BusError) in
                    try message.append("org.freedesktop.Secret.Item.Attributes", .attributes(["a": "1"]))
                }
                try message.write("r", of: "oayays") { () throws(BusError) in
                    try message.append(session, type: "o")
                    try message.append(bytes: [])
                    try message.append(bytes: [UInt8](repeating: 7, count: bytes))
                    try message.append("text/plain")
                }
                try message.append(false)
            }
            #expect(failure(refused) == "org.freedesktop.DBus.Error.InvalidArgs", "\(bytes): \(refused)")
        }
        #expect(try client.make(["a": "1"], session: session).hasPrefix("/org/freedesktop/secrets/collection/login/"))
        #expect(try stage.bridge() == bridge && stage.lookup() == "aoao 0 0")
    }
}

/// Processes that call the bridge, each by several connections, and stay.
private final class Callers {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// A letter of each process: `y` where all of its calls were answered well.
    let answers: String

    private static let script = """
        import os, signal, sys
        from jeepney import DBusAddress, new_method_call
        from jeepney.io.blocking import open_dbus_connection
        # Neither needs the daemon.
        calls = {
            "Introspect": ("org.freedesktop.DBus.Introspectable", None, ()),
            "OpenSession": ("org.freedesktop.Secret.Service", "sv", ("plain", ("s", ""))),
        }
        def call(bus, member):
            interface, signature, arguments = calls[member]
            service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", interface)
            reply = bus.send_and_get_reply(new_method_call(service, member, signature, arguments))
            return reply.header.message_type.name == "method_return"
        reading, writing = os.pipe()
        def child():
            buses = [open_dbus_connection() for _ in range(int(sys.argv[2]))]
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
            good = all([call(bus, sys.argv[3]) for bus in buses])
            while True:
                os.write(writing, b"y" if good else b"n")
                signal.sigwait([signal.SIGUSR1])
                good = call(buses[0], sys.argv[3])
        children = []
        for _ in range(int(sys.argv[1])):
            children.append(os.fork())
            if children[-1] == 0:
                child()
        print("".join(os.read(reading, 1).decode() for _ in children), flush=True)
        for line in sys.stdin:
            if line == "call\\n":
                os.kill(children[0], signal.SIGUSR1)
                print(os.read(reading, 1).decode(), flush=True)
            else:
                os.kill(children[-1], signal.SIGKILL)
                os.waitpid(children.pop(), 0)
                print("ended", flush=True)
        for one in children:
            os.kill(one, signal.SIGKILL)

        """

    init(_ stage: SecretStage, _ processes: Int, each: Int, opensSession: Bool) throws {
        try stage.directory.write("callers.py", Self.script)
        let call = opensSession ? "OpenSession" : "Introspect"
        process.executableURL = URL(filePath: "/usr/bin/env")
        (process.arguments, process.environment) = stage.program(
            ["/usr/bin/python3", "\(stage.directory.path)/callers.py", "\(processes)", "\(each)", call])
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        answers = try Self.line(of: output)
    }

    /// Its end ends the processes.
    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static func line(of output: Pipe) throws -> String {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
            line += byte
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func send(_ command: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        return try Self.line(of: output)
    }

    /// Has the first connection of the first process call again; `y` where that was answered well.
    func callAgain() throws -> String { try send("call") }

    func endOne() throws { #expect(try send("end") == "ended") }
}

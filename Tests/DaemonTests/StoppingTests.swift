// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization
import Testing

@Suite("The end of the daemon", .serialized, .blocking)
struct StoppingTests {
    @Test("Each connection gets its own answers to the end, whatever waits and however much is under way")
    func ownAnswers() throws {
        let daemon = try DaemonProcess()
        let clients = try (0..<4).map { _ in try SocketConnection(to: daemon.socket) }
        for client in clients { try client.hello() }
        for (number, client) in clients.enumerated() {
            // A hash takes long enough to be waited for at the end; the lines fill more turns than one.
            var lines =
                #"{"jsonrpc":"2.0","id":"\#(number)-waits","method":"verifier.set","params":"#
                + #"{"service":"login","account":"ann\#(number)","password":"secret"}}"# + "\n"
            for line in 0..<1000 { lines += #"{"jsonrpc":"2.0","id":"\#(number)-\#(line)","method":"status"}"# + "\n" }
            try client.send(Array(lines.utf8))
        }
        #expect(daemon.terminate() == 0)
        for (number, client) in clients.enumerated() {
            while let line = try? client.line() {
                if !line.contains(#""id":"\#(number)-"#) { Issue.record("client \(number) got \(line.prefix(80))") }
            }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    @Test("Clients that connect without end do not hold it up")
    func flood() throws {
        let daemon = try DaemonProcess()
        // From its first answer on it is told of signals.
        try SocketConnection(to: daemon.socket).hello()
        let socket = daemon.socket
        let isOver = Flag()
        let threads = DispatchGroup()
        for _ in 0..<4 {
            DispatchQueue.global().async(group: threads) {
                while !isOver.isSet { (try? SocketConnection(to: socket))?.close() }
            }
        }
        // So that the test fails, and does not hang, where they do.
        let limit = DispatchWorkItem { isOver.set() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: limit)
        #expect(daemon.terminate() == 0)
        #expect(!isOver.isSet)
        limit.cancel()
        isOver.set()
        threads.wait()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization
import TestGround
import Testing

@Suite("The end of the daemon", .serialized, .blocking)
struct StoppingTests {
    @Test("Each connection receives all its own answers, however much waits or is under way")
    func ownAnswers() throws {
        let daemon = try DaemonProcess()
        let clients = try (0..<4).map { _ in try SocketConnection(to: daemon.socket) }
        for client in clients { try client.hello() }
        for (number, client) in clients.enumerated() {
            // A hash takes long enough to be waited for at the end; the lines need more than one turn of the loop.
            var lines =
                #"{"jsonrpc":"2.0","id":"\#(number)-waits","method":"verifier.set","params":"#
                + #"{"place":{"namespace":"login","account":"ann\#(number)"},"password":"secret"}}"# + "\n"
            for line in 0..<1000 { lines += #"{"jsonrpc":"2.0","id":"\#(number)-\#(line)","method":"status"}"# + "\n" }
            try client.send(Array(lines.utf8))
        }
        // Each has received some of its answers.
        var seen = [0, 0, 0, 0]
        for number in clients.indices { while seen[number] < 10 { try note(clients[number].line(), number, &seen) } }
        #expect(daemon.terminate() == 0)
        for number in clients.indices {
            while let line = try? clients[number].line() { try note(line, number, &seen) }
        }
    }

    /// Counts an answer to `status`: the answers are in the order of the requests, and none is missing.
    private func note(_ line: String, _ number: Int, _ seen: inout [Int]) throws {
        let answer = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let id = answer["id"] as? String
        if id == "\(number)-waits" { return }
        #expect(id == "\(number)-\(seen[number])")
        #expect(answer["result"] != nil)
        seen[number] += 1
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    @Test("Clients that keep connecting do not delay it")
    func flood() throws {
        let daemon = try DaemonProcess()
        // From its first answer on it receives signals.
        try SocketConnection(to: daemon.socket).hello()
        let socket = daemon.socket
        let isOver = Flag()
        let connected = DispatchSemaphore(value: 0)
        let threads = DispatchGroup()
        // Threads of their own: the shared queue has as many as there are processors, and the tests of others need them.
        for _ in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                var isFirst = true
                while !isOver.isSet {
                    (try? SocketConnection(to: socket))?.close()
                    if isFirst { connected.signal() }
                    isFirst = false
                }
                threads.leave()
            }
        }
        for _ in 0..<4 { connected.wait() }
        // The test fails, and does not hang, where they delay it.
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if ended.wait(timeout: .now() + 60) == .timedOut { isOver.set() }
        }
        #expect(daemon.terminate() == 0)
        ended.signal()
        #expect(!isOver.isSet)
        isOver.set()
        threads.wait()
    }
}

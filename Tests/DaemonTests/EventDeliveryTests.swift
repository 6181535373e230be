// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

@Suite("Events over real sockets", .blocking)
struct EventDeliveryTests {
    /// A subscriber that reads on a thread of its own until an event has this number, and counts.
    private final class Subscriber: Sendable {
        let descriptor: Int32
        // Open as long as the subscriber exists.
        private nonisolated(unsafe) let connection: SocketConnection

        init(_ socket: String) throws {
            connection = try SocketConnection(to: socket, timeoutSeconds: 300)
            try connection.hello()
            try connection.call("event.subscribe")
            descriptor = connection.descriptor
        }

        /// Reads up to the event of that number.
        ///
        /// - Returns: the first number that does not follow the number before it; nil: none.
        func read(to last: Int) throws -> Int? {
            var expected = 1
            while expected <= last {
                let number = "\"sequence\":\(expected),"
                let isNext = try connection.withNextLine { line in
                    (Array(line) + [0]).withUnsafeBytes { line in
                        line.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strstr($0, number) } != nil
                    }
                }
                guard isNext else { return expected }
                expected += 1
            }
            return nil
        }

        /// Reads all that waits.
        ///
        /// - Returns: the numbers of the events, and of those that the daemon reported as lost.
        func drain(to last: Int) throws -> (numbers: [Int], lost: ClosedRange<Int>?) {
            var numbers: [Int] = []
            while true {
                let line = try connection.line()
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                let event = try #require(object?["params"] as? [String: Any])
                let number = try #require(event["sequence"] as? Int)
                if let from = event["from"] as? Int, let to = event["to"] as? Int { return (numbers, from...to) }
                numbers.append(number)
                if number == last { return (numbers, nil) }
            }
        }
    }

    @Test(
        "Of 100 subscribers one does not read through 10,000 changes: all others get all in order, and it is notified of its loss",
        .timeLimit(.minutes(10)))
    func manySubscribers() throws {
        let changes = 10_000
        let daemon = try DaemonProcess()
        let readers = try (0..<99).map { _ in try Subscriber(daemon.socket) }
        let slow = try Subscriber(daemon.socket)
        let failures = Failures()
        let threads = DispatchGroup()
        for reader in readers {
            // A thread each: the shared ones are fewer than the readers.
            threads.enter()
            Thread.detachNewThread {
                do {
                    if let gap = try reader.read(to: changes) { failures.add("gap at \(gap)") }
                } catch {
                    failures.add("\(error)")
                }
                threads.leave()
            }
        }
        let writer = try SocketConnection(to: daemon.socket, timeoutSeconds: 300)
        try writer.hello()
        // As many requests at a time as the daemon answers in a turn, so that round trips are not measured.
        for batch in stride(from: 0, to: changes, by: 50) {
            let lines = (batch..<batch + 50).map { number in
                #"{"jsonrpc":"2.0","id":\#(number),"method":"credential.save","params":{"service":{"type":"domain","#
                    + #""value":"shop.example.com"},"user":"ann","password":"secret \#(number)"}}"# + "\n"
            }
            try writer.send(Array(lines.joined().utf8))
            for _ in lines {
                let line = try writer.line()
                #expect(line.contains("\"changed\":true"), "\(line)")
            }
        }
        threads.wait()
        #expect(failures.all.isEmpty, "\(failures.all)")
        let (numbers, lost) = try slow.drain(to: changes)
        #expect(numbers == Array(1...max(1, numbers.count)))
        let gap = try #require(lost)
        #expect(gap.lowerBound == numbers.count + 1 && gap.upperBound == changes)
        #expect(numbers.count < changes / 2, "what waits for it is bounded")
    }

    private final class Failures: @unchecked Sendable {
        // Guarded by the lock.
        private var texts: [String] = []
        private let lock = NSLock()

        func add(_ text: String) { lock.withLock { texts.append(text) } }
        var all: [String] { lock.withLock { texts } }
    }
}

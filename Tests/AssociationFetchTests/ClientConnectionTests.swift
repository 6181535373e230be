// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Testing

@Suite("A connection to the program that fetches")
struct ClientConnectionTests {
    private let query = AssociationQuery(domain: "shop.example.com", mode: .standard)

    private func report(on query: AssociationQuery) -> AssociationReport { .unavailable(query, "") }

    @Test("A query is asked when its line is whole, however it arrives")
    func pieces() {
        var connection = ClientConnection()
        for byte in query.line.dropLast() { #expect(connection.receive([byte]) == nil) }
        #expect(connection.state == .reading)
        #expect(connection.receive([0x0A]) == query)
        #expect(connection.state == .asking)
    }

    @Test("Lines that arrive together are answered one after the other")
    func lines() {
        var connection = ClientConnection()
        let other = AssociationQuery(domain: "other.example.com", mode: .developer)
        #expect(connection.receive(query.line + other.line) == query)
        connection.receive(report(on: query))
        #expect(connection.state == .answering)
        #expect(Array(connection.answer) == report(on: query).line)
        #expect(connection.sent(10) == nil)
        #expect(connection.state == .answering)
        #expect(connection.sent(connection.answer.count) == other)
        #expect(connection.state == .asking)
        connection.receive(report(on: other))
        #expect(connection.sent(connection.answer.count) == nil)
        #expect(connection.state == .reading)
    }

    @Test(
        "A line that is no query is answered so, and the next one is asked",
        arguments: ["", "{}", "[]", #"{"domain":1}"#])
    func unreadable(line: String) throws {
        var connection = ClientConnection()
        #expect(connection.receive(Array("\(line)\n".utf8) + query.line) == nil)
        #expect(connection.state == .answering)
        let report = try AssociationReport(line: connection.answer)
        #expect(report.domain == "invalid")
        #expect(report.files.map(\.failureKind) == [.nameNotAllowed, .nameNotAllowed])
        #expect(connection.sent(connection.answer.count) == query)
    }

    @Test("A line over the limit closes the connection, with its end or without")
    func tooLong() {
        for end in [[], [0x0A]] as [[UInt8]] {
            var connection = ClientConnection()
            #expect(connection.receive([UInt8](repeating: 0x20, count: AssociationQuery.lineBytes + 1) + end) == nil)
            #expect(connection.state == .closed)
        }
    }

    @Test("The end of the input closes it")
    func end() {
        var connection = ClientConnection()
        #expect(connection.receive(query.line.dropLast()) == nil)
        connection.receiveEnd()
        #expect(connection.state == .closed)
    }
}

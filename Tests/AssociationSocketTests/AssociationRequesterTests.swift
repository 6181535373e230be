// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Glibc
import TestGround
import Testing

@Suite("Asking autofill-associations")
struct AssociationRequesterTests {
    private let query = AssociationQuery(domain: "shop.example", mode: .standard)
    private let report = AssociationReport(
        domain: "shop.example", mode: .standard, validSeconds: 3600,
        files: [
            AssociationFileReport(
                file: "apple-app-site-association", status: 200, failure: nil, detail: nil,
                apps: (0..<2000).map { "linux.org.example.App\($0)" })
        ])
    private let stage: Stage
    private let directory: TemporaryDirectory
    private let server: AssociationServer

    init() throws {
        stage = try Stage()
        directory = try TemporaryDirectory()
        server = try AssociationServer(on: stage.loop, in: directory)
        try server.start()
    }

    private var noAnswer: AssociationReport { .unavailable(query, "no answer on \(server.path)") }

    @Test("It is sent the query in a line, and its report is handed on") func answers() throws {
        server.answer = { [report] in $0.respond(report.line) }
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        #expect(stage.report == report)
        #expect(server.lines == String(decoding: query.line, as: UTF8.self))
        #expect(try server.isHungUpOn())
    }

    @Test("A report that arrives in pieces is waited for") func pieces() throws {
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        let line = report.line
        for piece in [line.prefix(1), line.dropFirst().prefix(5000), line.dropFirst(5001)] {
            #expect(stage.report == nil)
            server.respond(Array(piece))
            try stage.loop.runUntilIdle()
        }
        #expect(stage.report == report)
    }

    @Test(
        "One that hangs up early, sends nonsense, or answers for another domain or mode has no answer",
        arguments: Misbehaviour.allCases)
    func misbehaves(_ how: Misbehaviour) throws {
        server.answer = { [report] server in
            switch how {
            case .silence: break
            case .half: server.respond(Array(report.line.dropLast(20)))
            case .nonsense: server.respond(Array("hello\n".utf8))
            case .domain:
                server.respond(
                    AssociationReport(domain: "evil.example", mode: .standard, validSeconds: 1, files: []).line)
            case .mode:
                server.respond(
                    AssociationReport(domain: "shop.example", mode: .developer, validSeconds: 1, files: []).line)
            }
            server.hangUp()
        }
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        #expect(stage.report == noAnswer)
    }

    enum Misbehaviour: CaseIterable { case silence, half, nonsense, domain, mode }

    @Test("A line without an end is read up to its limit, and no further") func endless() throws {
        var left = AssociationReport.lineBytes + 100_000
        let chunk = [UInt8](repeating: UInt8(ascii: " "), count: 50_000)
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        while stage.report == nil, left > 0 {
            server.respond(chunk)
            left -= chunk.count
            try stage.loop.runUntilIdle()
        }
        #expect(stage.report == noAnswer)
        #expect(try server.isHungUpOn())
    }

    @Test("One that sends nothing is waited for a second less than a request waits") func silent() throws {
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        stage.clock.advance(by: .milliseconds(Limits.associationWaitMilliseconds - 1001))
        server.respond(Array(report.line.prefix(100)))
        try stage.loop.runUntilIdle()
        #expect(stage.report == nil)
        stage.clock.advance(by: .milliseconds(1))
        try stage.loop.runUntilIdle()
        #expect(stage.report == noAnswer)
        #expect(try server.isHungUpOn())
    }

    @Test("Cancelled, it hangs up at once") func cancelled() throws {
        stage.ask(query, at: server.path)
        try stage.loop.runUntilIdle()
        stage.cancel()
        try stage.loop.runUntilIdle()
        #expect(stage.report == noAnswer)
        #expect(try server.isHungUpOn())
    }

    @Test("Where there is no socket, none is named, or its path is too long, there is no answer") func absent() throws {
        for path in ["\(directory.path)/other", "/" + String(repeating: "a", count: 107)] {
            stage.ask(query, at: path)
            try stage.loop.runUntilIdle()
            #expect(stage.report == .unavailable(query, "no answer on \(path)"))
        }
        stage.ask(query, at: nil)
        try stage.loop.runUntilIdle()
        #expect(stage.report == .unavailable(query, "this autofilld runs without autofill-associations"))
    }

    @Test("Where too many wait for it already, no more wait") func full() throws {
        let other = try TemporaryDirectory()
        let busy = try AssociationServer(on: stage.loop, in: other, backlog: 0)
        var waiting: [Int32] = []
        while let next = connection(to: busy.path) { waiting.append(next) }
        stage.ask(query, at: busy.path)
        #expect(stage.report == .unavailable(query, "no answer on \(busy.path)"))
        for descriptor in waiting { close(descriptor) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestGround
import Testing

/// playground-fixture, a process with the real server.
@Suite("The playground's process", .blocking, .timeLimit(.minutes(5)))
struct ProcessTests {
    private struct Fixture {
        let process = Process()
        let output = Pipe()

        init(_ argument: String) throws {
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let fixture = URL(filePath: program).deletingLastPathComponent().appending(path: "playground-fixture")
            // A shell's background job ignores the interrupt, and so would the fixture.
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["--default-signal=INT", fixture.path, argument]
            process.standardOutput = output
            process.standardError = output
            try process.run()
        }

        /// The first line of its output.
        func line() throws -> String {
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { break }
                line += byte
            }
            return String(decoding: line.dropLast(), as: UTF8.self)
        }

        func rest() throws -> String {
            process.waitUntilExit()
            return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    @Test("Confined, it can open no file, directory or socket, connect, start no program or thread, and signal nobody")
    func confined() throws {
        let report = try Fixture("probe").rest().split(separator: "\n").map(String.init)
        let expected = [
            "open", "create", "list", "remove", "socket", "connect", "execute", "spawn", "kill", "thread",
        ]
        #expect(report == expected.map { "\($0): refused" })
    }

    @Test("Confined, it serves; it prints its one address and nothing of what it is sent; an interrupt ends it")
    func serves() throws {
        let fixture = try Fixture("serve")
        let address = try fixture.line()
        let match = try #require(address.wholeMatch(of: #/http:\/\/(127\.0\.0\.1:(\d+))\/#([0-9a-f]{64})/#))
        let (authority, token) = (String(match.1), String(match.3))
        let port = try #require(UInt16(match.2))
        func post(_ path: String, _ body: String, token: String) throws -> TestConnection.Answer {
            let connection = try TestConnection(to: port)
            connection.send(
                "POST \(path) HTTP/1.1\r\nHost: \(authority)\r\nOrigin: http://\(authority)\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try connection.answer()
        }
        let secret = "correct horse 1"
        let checked = try post("/check", #"{"rules": "max-repeating: 1", "password": "\#(secret)"}"#, token: token)
        #expect(checked.status == 200 && !checked.body.contains(secret))
        #expect(try post("/passwords", "{}", token: token).body.split(separator: "\n").count == 1000)
        #expect(try post("/sites", #"{"search": "shop"}"#, token: token).body.contains("shop.example.com"))
        #expect(try post("/rules", "not JSON", token: token).status == 400)
        #expect(try post("/rules", "{}", token: "wrong").status == 401)
        kill(fixture.process.processIdentifier, SIGINT)
        #expect(try fixture.rest().isEmpty)
        #expect(fixture.process.terminationReason == .uncaughtSignal && fixture.process.terminationStatus == SIGINT)
    }

    @Test("Confined, it ends with status 0 when its idle time is over")
    func idle() throws {
        let fixture = try Fixture("idle")
        #expect(try fixture.rest().wholeMatch(of: #/http:\/\/[^\n]*\n/#) != nil)
        #expect(fixture.process.terminationReason == .exit && fixture.process.terminationStatus == 0)
    }
}

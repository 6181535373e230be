// SPDX-License-Identifier: Apache-2.0
import Foundation
import RulesPlayground
import TestGround
import Testing

@Suite("What the playground accepts", .blocking, .timeLimit(.minutes(5)))
struct BoundsTests {
    @Test("A head or a body over its limit is refused; at the limit it is read")
    func sizes() throws {
        let server = try TestServer()
        func padded(_ size: Int) -> String {
            let plain = server.request("/sites", replacing: ["X": ""])
            let rest = size - (plain.utf8.count - "{}".utf8.count)
            return server.request("/sites", replacing: ["X": String(repeating: "x", count: rest)])
        }
        #expect(try server.exchange(padded(PlaygroundLimits.headBytes)).status == 200)
        #expect(try server.exchange(padded(PlaygroundLimits.headBytes + 1)).status == 431)
        #expect(try server.exchange(padded(1 << 20)).status == 431)
        func spaces(_ count: Int) -> String { "{}" + String(repeating: " ", count: count - 2) }
        #expect(try server.exchange(server.request("/sites", spaces(PlaygroundLimits.bodyBytes))).status == 200)
        #expect(try server.exchange(server.request("/sites", spaces(PlaygroundLimits.bodyBytes + 1))).status == 413)
        #expect(try server.exchange(server.request("/sites", replacing: ["Content-Length": "999999999"])).status == 413)
        let password = String(repeating: "x", count: PlaygroundLimits.passwordBytes)
        #expect(try server.post("/check", ["password": password]).status == 200)
        #expect(try server.post("/check", ["password": password + "x"]).status == 400)
    }

    @Test("A second request on a connection is refused with the first, whole or in part")
    func pipelined() throws {
        let server = try TestServer()
        let request = server.request("/sites")
        #expect(try server.exchange(request + request).status == 400)
        #expect(try server.exchange(request + "G").status == 400)
        #expect(try server.exchange(server.request("/", "", method: "GET") + request).status == 400)
        // Sent while the answer is read: it has no answer.
        let connection = try TestConnection(to: server.port)
        connection.send(request)
        connection.send(request)
        let answer = try connection.answer()
        #expect(answer.status == 400 || answer.status == 200 && !answer.body.contains("HTTP/1.1"))
    }

    @Test("A request in pieces is read; one that is not complete after ten seconds is refused, and ends")
    func slow() throws {
        let server = try TestServer()
        let request = Array(server.request("/sites").utf8)
        let (pieces, slow) = (try TestConnection(to: server.port), try TestConnection(to: server.port))
        let silent = try TestConnection(to: server.port)
        for byte in request.dropLast() { pieces.send([byte]) }
        slow.send(request.dropLast())
        // The answer of a later connection: what was sent before has been read.
        #expect(try server.post("/sites").status == 200)
        server.advance(by: PlaygroundLimits.connectionTime - .seconds(1))
        pieces.send(request.suffix(1))
        #expect(try pieces.answer().status == 200)
        server.advance(by: .seconds(1))
        #expect(try slow.answer().status == 408)
        #expect(try silent.answer().status == 408)
    }

    @Test("One connection more than the limit ends the oldest, so that waiting ones exclude nobody")
    func crowd() throws {
        let server = try TestServer()
        let crowd = try (0..<PlaygroundLimits.connections * 3).map { _ in try TestConnection(to: server.port) }
        #expect(try server.post("/sites").status == 200)
        #expect(try crowd[0].answer().status == 0)
        let last = try #require(crowd.last)
        last.send(server.request("/sites"))
        #expect(try last.answer().status == 200)
    }

    @Test(
        "What could be read in two ways is refused",
        arguments: [
            ("GET / HTTP/1.0\r\nHost: H\r\n\r\n", 501), ("GET / HTTP/2\r\nHost: H\r\n\r\n", 501),
            ("GET  / HTTP/1.1\r\nHost: H\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: H\r\n\r\n", 400),
            ("GET /\r\nHost: H\r\n\r\n", 400), ("\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost H\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: H\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: H\n\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : H\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: H\r\n X: y\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: H\r\nHost: H\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: H\r\nX: \u{0}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: H\r\nX: \u{E9}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: H\r\n: x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: H\r\nContent-Length: 2\r\n\r\n{}", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\n\r\n", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nContent-Length: +2\r\n\r\n{}", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nContent-Length: 2, 2\r\n\r\n{}", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nContent-Length: 0x2\r\n\r\n{}", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
            ("POST /sites HTTP/1.1\r\nHost: H\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 501),
        ])
    func ambiguous(_ text: String, _ status: Int) throws {
        let server = try TestServer()
        #expect(try server.exchange(text.replacing("Host: H", with: "Host: \(server.authority)")).status == status)
    }

    @Test(
        "A body that is not the page's is refused",
        arguments: [
            "", "[]", "{", "{}{}", "null", #"{"rules": 1}"#, #"{"rules": "a", "rules": "b"}"#, #"{"rules": "\ud800"}"#,
            #"{"style": "best"}"#, #"{"length": 0}"#, #"{"length": -1}"#, #"{"length": 1.5}"#, #"{"length": 1e99}"#,
            #"{"field": []}"#, #"{"field": {"minlength": "8"}}"#, #"{"search": ["[[[[[[[[["]}"#,
            #"{"rules": "\u0000"}"#,
        ])
    func bodies(_ body: String) throws {
        let server = try TestServer()
        for path in ["/rules", "/check", "/passwords", "/sites"] {
            #expect(try server.exchange(server.request(path, body)).status == 400, "\(path)")
        }
    }

    @Test("After any bytes the server still answers, and it answers none that lack the token or the host")
    func random() throws {
        let server = try TestServer()
        var random = SeededGenerator(seed: 5)
        let request = server.request("/rules", #"{"rules": "x"}"#, replacing: ["Authorization": "Bearer x"])
        for _ in 0..<2000 {
            var bytes = Array(request.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            let connection = try TestConnection(to: server.port)
            connection.send(bytes)
            connection.endOutput()
            let status = try connection.answer().status
            #expect(status == 0 || status >= 400)
        }
        #expect(try server.post("/rules").status == 200)
    }

    @Test("It ends thirty minutes after the last request with the token, and no other request delays that")
    func idle() throws {
        let server = try TestServer()
        server.advance(by: PlaygroundLimits.idleTime - .seconds(1))
        #expect(try server.post("/sites").status == 200)
        server.advance(by: PlaygroundLimits.idleTime - .seconds(1))
        #expect(try server.exchange(server.request("/", "", method: "GET")).status == 200)
        #expect(try server.exchange(server.request("/sites", replacing: ["Authorization": nil])).status == 401)
        server.advance(by: .seconds(1))
        #expect(server.ends)
        #expect(throws: SystemFailure.self) { try TestConnection(to: server.port) }
    }

    @Test("The document has every limit, in the order of the code")
    func documented() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "Sources/RulesPlayground/Server.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let numbers = text.matches(of: #/\n\| [^|]+ \| (\d+) \|/#).map(\.1)
        let limits: [Int] = [
            PlaygroundLimits.connections, PlaygroundLimits.headBytes, PlaygroundLimits.bodyBytes,
            Int(PlaygroundLimits.connectionTime.components.seconds), Int(PlaygroundLimits.idleTime.components.seconds),
            PlaygroundLimits.shown, PlaygroundLimits.drawn, PlaygroundLimits.passwordBytes,
            PlaygroundLimits.searchBytes, PlaygroundLimits.sites, PlaygroundLimits.countedLength,
        ]
        #expect(numbers.map { Int($0) } == limits)
    }
}

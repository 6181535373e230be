// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Bad input on the real socket", .serialized, .blocking)
struct BadInputTests {
    private static let status = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"status\"}"

    /// Sends bytes on a connection after hello. The connection and a second one must continue to work.
    ///
    /// - Returns: the problem of the answer.
    private func problem(_ bytes: [UInt8], _ daemon: DaemonProcess) throws -> String? {
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.send(bytes + [0x0A])
        let answer = try TestAnswer(try app.line())
        #expect(try TestAnswer(try app.exchange(Self.status)).result != nil)
        let other = try SocketConnection(to: daemon.socket)
        #expect(try other.hello().result != nil)
        return answer.problem
    }

    @Test("Each kind of malformed line has its documented answer, and does not end the connection")
    func kinds() throws {
        let daemon = try DaemonProcess()
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let cases: [(String, [UInt8])] = [
            ("not-json", Array("hello there".utf8)), ("not-json", Array("{\"id\":1,}".utf8)),
            ("not-json", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]), ("not-json", [0x7B, 0x00, 0x7D]),
            ("json-not-taken", Array("{\"id\":1,\"id\":2}".utf8)), ("json-not-taken", Array(deep.utf8)),
            ("not-an-object", Array("\"hello\"".utf8)), ("not-an-object", Array("7".utf8)),
            ("batch-refused", Array("[\(Self.status)]".utf8)),
            ("version-missing", Array("{\"id\":1,\"method\":\"status\"}".utf8)),
            ("id-missing", Array("{\"jsonrpc\":\"2.0\",\"method\":\"status\"}".utf8)),
            ("id-invalid", Array("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"status\"}".utf8)),
            (
                "id-invalid",
                Array(
                    "{\"jsonrpc\":\"2.0\",\"id\":\"\(String(repeating: "x", count: 65))\",\"method\":\"status\"}".utf8)
            ),
            ("method-missing", Array("{\"jsonrpc\":\"2.0\",\"id\":1}".utf8)),
            ("method-unknown", Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"vault.export\"}".utf8)),
            (
                "parameters-not-an-object",
                Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":[]}".utf8)
            ),
            ("hello-repeated", Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{}}".utf8)),
            (
                "parameter-missing",
                Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"credential.get\",\"params\":{}}".utf8)
            ),
            (
                "parameter-invalid",
                Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"credential.get\",\"params\":{\"service\":7}}".utf8)
            ),
            (
                "parameter-invalid",
                Array(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"credential.list\",\"params\":{\"limit\":9007199254740993}}"
                        .utf8)
            ),
            ("line-too-long", [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)),
        ]
        for (expected, bytes) in cases { #expect(try problem(bytes, daemon) == expected) }
        #expect(daemon.process.isRunning)
    }

    @Test(
        "A request before hello, and a hello without a common version, are refused; a correct hello still works afterwards"
    )
    func beforeHello() throws {
        let daemon = try DaemonProcess()
        let app = try SocketConnection(to: daemon.socket)
        #expect(try TestAnswer(try app.exchange(Self.status)).problem == "hello-required")
        #expect(
            try app.call("hello", ["bundleID": "org.example.Shop", "protocol": ["min": 2, "max": 9]]).problem
                == "protocol-unsupported")
        #expect(
            try app.call("hello", ["bundleID": "no bundle", "protocol": ["min": 1, "max": 1]]).problem
                == "parameter-invalid")
        #expect(try app.hello().result != nil)
    }

    @Test("Unknown parameters are named in the answer, and refused for a strict client")
    func unknownParameters() throws {
        let daemon = try DaemonProcess()
        let lenient = try SocketConnection(to: daemon.socket)
        try lenient.hello()
        let answer = try lenient.call(
            "autofill.suggest", ["service": Examples.shop, "form": ["fields": [["id": "a", "colour": "red"]]]])
        #expect(answer.result?["warnings"] as? [String] == ["unknown parameter: form.fields[0].colour"])
        let strict = try SocketConnection(to: daemon.socket)
        try strict.call("hello", ["bundleID": "org.example.Shop", "protocol": ["min": 1, "max": 1], "strict": true])
        #expect(try strict.call("status", ["verbose": true]).problem == "parameter-unknown")
    }

    @Test("Half a line and then silence delays nobody, and the line can still be finished")
    func halfALine() throws {
        let daemon = try DaemonProcess()
        let slow = try SocketConnection(to: daemon.socket)
        try slow.hello()
        let line = Array((Self.status + "\n").utf8)
        try slow.send(Array(line[..<20]))
        let other = try SocketConnection(to: daemon.socket)
        #expect(try other.hello().result != nil)
        try slow.send(Array(line[20...]))
        #expect(try TestAnswer(try slow.line()).result != nil)
    }

    @Test("10,000 requests whose answers are not read are held back, cost others nothing, and are all answered")
    func pipelined() throws {
        let daemon = try DaemonProcess()
        let flood = try SocketConnection(to: daemon.socket)
        try flood.hello()
        let descriptor = flood.descriptor
        Thread.detachNewThread {
            for index in 0..<10_000 {
                let line = Array("{\"jsonrpc\":\"2.0\",\"id\":\(index),\"method\":\"status\"}\n".utf8)
                guard (try? SocketConnection.send(line, on: descriptor)) != nil else { return }
            }
        }
        for _ in 0..<50 {
            let other = try SocketConnection(to: daemon.socket)
            #expect(try other.hello().result != nil)
        }
        for index in 0..<10_000 {
            let line = try flood.line()
            if !line.contains("\"id\":\(index),") { Issue.record("answer \(index) is \(line.prefix(60))") }
        }
    }
}

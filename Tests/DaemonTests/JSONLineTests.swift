// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSONCases
import Support
import TestGround
import Testing

/// The cases of the JSON Parsing Test Suite on the real socket, as lines and as members of a request. protocol.md, "Lines",
/// names what is stricter than RFC 8259.
@Suite("JSON texts on the real socket", .serialized, .blocking)
struct JSONLineTests {
    private let daemon: DaemonProcess
    private let app: SocketConnection

    init() throws {
        daemon = try DaemonProcess()
        app = try SocketConnection(to: daemon.socket)
        try app.hello()
    }

    /// Every case without a line feed, which would make several lines of it.
    private static let cases = (acceptedTexts + refusedTexts + openTexts).filter { !$0.text.contains(0x0A) }

    /// The answers to the line, up to the answer to a request that follows it.
    private func answers(to line: [UInt8]) throws -> [TestAnswer] {
        try app.send(line + Array("\n{\"jsonrpc\":\"2.0\",\"id\":\"end\",\"method\":\"status\"}\n".utf8))
        var answers: [TestAnswer] = []
        while true {
            let text = try app.line()
            let answer = try TestAnswer(text)
            if answer.id as? String == "end" { return answers }
            answers.append(answer)
        }
    }

    @Test("As a line each gets one answer, which states whether it is no JSON or JSON that is not accepted")
    func lines() throws {
        for example in Self.cases where !example.text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            let answers = try answers(to: example.text)
            try #require(answers.count == 1, "\(example)")
            let problem = answers[0].problem
            let isRefused = problem == "not-json" || problem == "json-not-taken"
            #expect(isRefused == (example.problem != nil), "\(example): \(problem ?? "no problem")")
        }
        #expect(try answers(to: []).isEmpty)
    }

    @Test("As a member of a request each gets one answer, with the request's id wherever the line is JSON")
    func members() throws {
        for example in Self.cases {
            let line = Array(#"{"jsonrpc":"2.0","id":7,"method":"status","params":{"x":"#.utf8) + example.text
            let answers = try answers(to: line + Array("}}".utf8))
            try #require(answers.count == 1, "\(example)")
            let (answer, isTaken) = (answers[0], example.problem == nil)
            // \u0000 is JSON, and refused in every string.
            let hasNUL = example.name.contains("null_escape") || example.name == "object_escaped_null_in_key"
            if isTaken, !hasNUL {
                #expect(answer.result?["warnings"] as? [String] == ["unknown parameter: x"], "\(example)")
            } else {
                #expect(answer.problem == "not-json" || answer.problem == "json-not-taken", "\(example)")
            }
            #expect((answer.id as? Int == 7) == (answer.problem != "not-json"), "\(example)")
        }
    }

    @Test("What is nested too deep is refused with its id, and 100,000 brackets without an end are no JSON")
    func depth() throws {
        for (count, close, problem) in [
            (500, "]", "json-not-taken"), (30_000, "]", "json-not-taken"), (60_000, "", "not-json"),
        ] {
            let deep = String(repeating: "[", count: count) + String(repeating: close, count: count)
            let line = #"{"jsonrpc":"2.0","id":7,"method":"status","params":{"x":"# + deep + "}}"
            let answers = try answers(to: Array(line.utf8))
            #expect(
                answers.map(\.problem) == [problem] && (answers.first?.id as? Int == 7) == !close.isEmpty, "\(count)")
        }
    }
}

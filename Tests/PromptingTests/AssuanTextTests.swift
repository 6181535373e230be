// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Prompting

@Suite("Assuan's lines")
struct AssuanTextTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("What would end a line or begin an escape is escaped")
    func escapes() {
        #expect(text(AssuanText.line("SETDESC", "a%b\nc\rd\0é")) == "SETDESC a%25b%0Ac%0Dd%00é\n")
        #expect(text(AssuanText.line("GETPIN")) == "GETPIN\n")
    }

    @Test("A line that is too long is cut between characters and between escapes", arguments: 980...1000)
    func cut(length: Int) {
        for tail in ["é", "\n", "%", "銀", "😀"] {
            let long = String(repeating: "a", count: length) + String(repeating: tail, count: 20)
            let line = AssuanText.line("SETDESC", long)
            #expect(line.count <= 1001)
            #expect(line.last == UInt8(ascii: "\n"))
            let body = String(validating: line.dropLast(), as: UTF8.self)
            #expect(body != nil, "\(tail)")
            let escape = body?.dropFirst(8 + length) ?? ""
            #expect(escape.isEmpty || tail != "\n" || escape.count % 3 == 0, "\(escape)")
        }
    }

    @Test("Escapes of data lines are undone, whatever their case; what is malformed or does not fit is refused")
    func decode() {
        func decoded(_ text: String, room: Int = 64) -> [UInt8]? {
            var memory = [UInt8](repeating: 0, count: room)
            var written = 0
            let data = Array(text.utf8)
            let isWhole = memory.withUnsafeMutableBytes { memory in
                data.withUnsafeBytes { AssuanText.decode($0, into: memory, at: &written) }
            }
            return isWhole ? Array(memory[..<written]) : nil
        }
        #expect(decoded("a%25b%0a%0Ac") == Array("a%b\n\nc".utf8))
        #expect(decoded("") == [])
        #expect(decoded("a%2") == nil)
        #expect(decoded("a%") == nil)
        #expect(decoded("a%zz") == nil)
        #expect(decoded("abcd", room: 3) == nil)
        #expect(decoded("abc", room: 3) == Array("abc".utf8))
    }
}

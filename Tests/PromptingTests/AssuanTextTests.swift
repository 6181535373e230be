// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Prompting

@Suite("Assuan's lines")
struct AssuanTextTests {
    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test("What would end a line or begin an escape is escaped")
    func escapes() {
        #expect(text(AssuanText.line("SETDESC", "a%b\nc\rd\0é")) == "SETDESC a%25b%0Ac%0Dd%00é\n")
        #expect(text(AssuanText.line("GETPIN")) == "GETPIN\n")
    }

    @Test("What is longer than a line is none, and is not cut", arguments: ["a", "é", "\n", "%", "銀", "😀"])
    func tooLong(tail: String) {
        let length = AssuanText.length(of: tail)
        #expect(length == (["\n", "%"].contains(tail) ? 3 : tail.utf8.count))
        let rest = String(repeating: "a", count: 992 - length)
        #expect(AssuanText.line("SETDESC", rest + tail)?.count == 1001)
        #expect(AssuanText.line("SETDESC", rest + tail + "a") == nil)
    }

    @Test("Escapes of data lines are undone, whatever their case; what is malformed or does not fit is refused")
    func decode() {
        func decoded(_ text: String, capacity: Int = 64) -> [UInt8]? {
            var memory = [UInt8](repeating: 0, count: capacity)
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
        #expect(decoded("abcd", capacity: 3) == nil)
        #expect(decoded("abc", capacity: 3) == Array("abc".utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import JSONCases
import SecretMemory
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Members and elements are in the order in which they were written, with commas between them")
    func order() {
        let text = written { writer in
            writer.object { writer in
                writer.member("b", true)
                writer.member(
                    "a",
                    array: { writer in
                        writer.integer(1)
                        writer.object { _ in }
                        writer.null()
                        writer.array { _ in }
                        writer.string("x" as StaticString)
                    })
                writer.member("c", object: { $0.member("d", Int64(-5)) })
                writer.member("e", "é")
            }
            writer.endLine()
            writer.array { _ in }
            writer.endLine()
        }
        #expect(text == #"{"b":true,"a":[1,{},null,[],"x"],"c":{"d":-5},"e":"é"}"# + "\n[]\n")
    }

    @Test("Quotes, backslashes and control characters are escaped, and nothing else")
    func escapes() {
        let raw = "\u{0}\u{1}\u{8}\t\n\u{C}\r\u{1F} !\"\\/<>&'\u{7F}\u{80}\u{2028}é😀"
        let expected = #""\u0000\u0001\u0008\t\n\u000c\r\u001f !\"\\/<>&'\u007f"# + "\u{80}\u{2028}é😀\""
        #expect(written { $0.string(raw) } == expected)
        #expect(written { $0.secret(SecretBytes(utf8: raw)) } == expected)
    }

    @Test("Integers are written in full", arguments: [0, 1, -1, 9, 10, 99, 100, .max, .min] as [Int64])
    func integers(value: Int64) {
        #expect(written { $0.integer(value) } == "\(value)")
    }

    @Test("Binary data is an object with its base64")
    func base64() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xFE, 0]
        #expect(written { $0.base64(SecretBytes(copying: bytes, count: 4)) } == #"{"base64":"+//+AA=="}"#)
        #expect(written { $0.base64(SecretBytes(copying: [], count: 0)) } == #"{"base64":""}"#)
    }

    @Test("A raw value is written unchanged, with its comma")
    func raw() {
        let line = written { writer in
            writer.array { writer in
                writer.integer(1)
                text(#""\u0061""#).withUnsafeBytes { writer.raw($0) }
            }
        }
        #expect(line == #"[1,"\u0061"]"#)
    }

    @Test("Growing keeps what was written, whatever the size", arguments: [0, 1, 63, 64, 65, 1000, 5000, 200_000])
    func growth(count: Int) {
        let long = String(repeating: "é\"", count: count)
        let text = written { writer in
            writer.array { writer in
                writer.string(long)
                writer.secret(SecretBytes(utf8: long))
            }
        }
        let quoted = "\"" + String(repeating: "é\\\"", count: count) + "\""
        #expect(text == "[\(quoted),\(quoted)]")
    }

    @Test("After a reset nothing of a secret is in the writer's memory")
    func reset() {
        var writer = JSONWriter(capacity: 256)
        writer.secret(SecretBytes(utf8: "correct-horse"))
        // The memory is the writer's own, and a reset does not release it.
        let memory = writer.withUnsafeBytes { $0 }
        #expect(Array(memory.dropFirst().prefix(13)) == Array("correct-horse".utf8))
        writer.reset()
        #expect(memory.allSatisfy { $0 == 0 })
        #expect(writer.count == 0)
        writer.bool(true)
        #expect(writer.withUnsafeBytes { Array($0) } == Array("true".utf8))
    }
}

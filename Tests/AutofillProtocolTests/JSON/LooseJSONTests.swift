// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import JSONCases
import Testing

@Suite("Lines that the strict scanner refuses, read for their id")
struct LooseJSONTests {
    private func read(_ text: String) -> (isJSON: Bool, id: RequestID?) {
        Array(text.utf8).withUnsafeBytes { LooseJSON.read($0) }
    }

    @Test("The id of well-formed JSON is found, at the top and once only")
    func ids() {
        #expect(read(#"{"id":7}"#).id == .number(7))
        #expect(read(#" { "a" : [ { "id" : 1 } , [ ] , { } ] , "id" : "x\"y" , "b" : { } } "#).id == .text(#"x"y"#))
        for text in [
            #"{"id":7,"id":7}"#, #"{"id":1.5}"#, #"{"id":[7]}"#, #"{"id":{}}"#, #"[{"id":7}]"#, #"{"a":{"id":7}}"#,
            #"{"id":"\uD800"}"#, #""id""#, "7", "[]", "{}",
        ] {
            let (isJSON, id) = read(text)
            #expect(isJSON && id == nil, "\(text)")
        }
    }

    @Test(
        "Whatever the strict scanner takes is JSON here too, and what is none for other reasons than strictness is none"
    )
    func agreement() {
        for text in [
            "", " ", "{", "[1,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, #"{a:1}"#, "[1]]", "tru", "01", #""\x""#, "{}{}",
            "[,]", #"{"a":1,}"#, "[}",
        ] {
            #expect(!read(text).isJSON, "\(text)")
        }
        let deep = String(repeating: #"{"a":["#, count: 5000)
        let ends = String(repeating: "]}", count: 5000)
        #expect(read(#"{"id":3,"b":\#(deep)\#(ends)}"#).id == .number(3))
        for example in acceptedTexts {
            #expect(example.text.withUnsafeBytes { LooseJSON.read($0).isJSON }, "\(example)")
        }
        for example in refusedTexts where example.problem != .loneSurrogate && example.problem != .tooDeep(limit: 32) {
            let isStrictness =
                switch example.problem {
                case .duplicateMember: true
                default: false
                }
            // Half of a pair, and then an escape that is none or takes the closing quote.
            let isBrokenBesides = [
                "string_1_surrogate_then_escape", "string_incomplete_surrogate_escape_invalid",
            ].contains(example.name)
            #expect(
                example.text.withUnsafeBytes { LooseJSON.read($0).isJSON } == (isStrictness && !isBrokenBesides),
                "\(example)")
        }
    }
}

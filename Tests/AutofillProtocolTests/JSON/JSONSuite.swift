// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import JSONCases
import Testing

@Suite("The JSON Parsing Test Suite's kinds of cases")
struct JSONSuite {
    @Test("A text that JSON allows is accepted", arguments: acceptedTexts)
    func accepted(_ example: SuiteCase) {
        #expect(problem(of: example.text) == nil)
    }

    @Test("A text that JSON does not allow is refused for its own reason", arguments: refusedTexts)
    func refused(_ example: SuiteCase) {
        #expect(problem(of: example.text) == example.problem)
    }

    @Test("Where JSON leaves it open, the decision is the one written down", arguments: openTexts)
    func open(_ example: SuiteCase) {
        #expect(problem(of: example.text) == example.problem)
    }

    @Test("Every text cut short ends early, or is a shorter complete text", arguments: acceptedTexts)
    func cutShort(_ example: SuiteCase) {
        for length in 0..<example.text.count {
            let found = problem(of: example.text.prefix(length))
            let allowed: [JSONError.Problem?] = [nil, .empty, .endedEarly, .invalidUTF8, .loneSurrogate]
            #expect(allowed.contains(found), "after \(length) bytes")
        }
    }

    @Test("Nesting up to the limit is accepted, one level more is refused", arguments: [1, 2, 16, 500])
    func depth(limit: Int) {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let inner = open == "[" ? "" : "{}"
            let levels = open == "[" ? limit : limit - 1
            let allowed = String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
            #expect(problem(of: text(allowed), maximumDepth: limit) == nil)
            let tooDeep = text(open + allowed + close)
            #expect(problem(of: tooDeep, maximumDepth: limit) == .tooDeep(limit: limit))
        }
    }

    @Test("A hundred thousand opening brackets are refused at the limit, and read without recursion where allowed")
    func deepTexts() {
        let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let members = [[UInt8]](repeating: text(#"[{"":"#), count: 50_000).flatMap { $0 }
        #expect(problem(of: brackets, maximumDepth: 32) == .tooDeep(limit: 32))
        #expect(problem(of: members, maximumDepth: 32) == .tooDeep(limit: 32))
        let balanced = brackets + [UInt8](repeating: UInt8(ascii: "]"), count: 100_000)
        #expect(problem(of: balanced, maximumDepth: 100_000) == nil)
    }
}

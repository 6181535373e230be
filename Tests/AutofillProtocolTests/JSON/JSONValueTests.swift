// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import JSONCases
import SecretMemory
import Testing

@Suite("Reading JSON values")
struct JSONValueTests {
    private func failure(_ text: String, _ read: (JSONValue) throws(JSONError) -> Void) -> JSONError? {
        do {
            try reading(text, read)
            return nil
        } catch { return error }
    }

    @Test("A string is read with its escapes resolved, scalar for scalar")
    func strings() throws {
        let cases = [
            (#""""#, ""), (#""a\"\\\/b""#, "a\"\\/b"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\uD83D\uDE00!""#, "😀!"), (#""\ud834\udd1e""#, "\u{1D11E}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""e\u0301""#, "e\u{301}"), ("\"héé€😀\"", "héé€😀"),
            (#""\u007f\u0080\u07ff\u0800\uffff""#, "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}"),
        ]
        for (text, expected) in cases {
            let read = try reading(text) { value throws(JSONError) in try value.string() }
            #expect(Array(read.unicodeScalars) == Array(expected.unicodeScalars), "\(text)")
            let secret = try reading(text) { value throws(JSONError) in try value.secret() }
            #expect(secret.equals(SecretBytes(utf8: expected)))
        }
    }

    @Test("U+0000 is refused in strings and secrets, but where data may carry it")
    func nul() throws {
        let text = #""a\u0000b""#
        #expect(failure(text) { value throws(JSONError) in _ = try value.string() }?.problem == .containsNUL)
        #expect(failure(text) { value throws(JSONError) in _ = try value.secret() }?.problem == .containsNUL)
        let data = try reading(text) { value throws(JSONError) in try value.secret(allowingNUL: true) }
        #expect(data.equals(SecretBytes(copying: [0x61, 0, 0x62], count: 3)))
    }

    @Test("A choice is taken byte for byte")
    func choices() throws {
        enum Keeper: String { case kay = "Keeper" }
        #expect(try reading(#""\u004beeper""#) { value throws(JSONError) in try value.choice(of: Keeper.self) } == .kay)
        for other in [#""\u212aeeper""#, #""keeper""#, #""""#] {
            let refused = failure(other) { value throws(JSONError) in _ = try value.choice(of: Keeper.self) }
            #expect(refused?.problem == .notAllowed)
        }
    }

    @Test("A limit counts the bytes of UTF-8 after unescaping")
    func limits() throws {
        let text = #""\u20ac\u0061""#
        #expect(try reading(text) { value throws(JSONError) in try value.string(maximumBytes: 4) } == "€a")
        let refused = failure(text) { value throws(JSONError) in _ = try value.secret(maximumBytes: 3) }
        #expect(refused?.problem == .tooManyBytes(limit: 3))
    }

    @Test("An integer has no fraction and no exponent and lies within ±(2^53−1)")
    func integers() throws {
        let good: [(String, Int64)] = [
            ("0", 0), ("-0", 0), ("7", 7), ("-42", -42), ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991),
        ]
        for (text, expected) in good {
            #expect(try reading(text) { value throws(JSONError) in try value.integer() } == expected)
        }
        let bad = [
            "1.0", "1e2", "1E0", "-0.0", "9007199254740992", "-9007199254740992", "18446744073709551616",
            "184467440737095516160000000000000000001", "100000000000000000000",
        ]
        for text in bad {
            #expect(
                failure(text) { value throws(JSONError) in _ = try value.integer() }?.problem == .notAnInteger,
                "\(text)")
        }
        let range = failure("11") { value throws(JSONError) in _ = try value.integer(in: 1...10) }
        #expect(range?.problem == .outOfRange(1...10))
    }

    @Test("A value of another type is refused, and both types are named")
    func wrongTypes() {
        let texts = ["{}", "[]", #""x""#, "1", "1.5", "true", "null"]
        let kinds: [JSONKind] = [.object, .array, .string, .integer, .number, .bool, .null]
        for (text, kind) in zip(texts, kinds) {
            let string = failure(text) { value throws(JSONError) in _ = try value.string() }?.problem
            #expect(string == (kind == .string ? nil : .wrongType(expected: .string, found: kind)))
            let bool = failure(text) { value throws(JSONError) in _ = try value.bool() }?.problem
            #expect(bool == (kind == .bool ? nil : .wrongType(expected: .bool, found: kind)))
            let object = failure(text) { value throws(JSONError) in _ = try value.members() }?.problem
            #expect(object == (kind == .object ? nil : .wrongType(expected: .object, found: kind)))
            let array = failure(text) { value throws(JSONError) in
                _ = try value.elements { element throws(JSONError) in element.kind }
            }
            #expect(array?.problem == (kind == .array ? nil : .wrongType(expected: .array, found: kind)))
        }
    }

    @Test("Members are found by their unescaped name, and only in their own object")
    func members() throws {
        let text = #"{"o":{"a":1},"\u0061":[{"b":2}],"b":{"a":3,"c":null}}"#
        try reading(text) { value throws(JSONError) in
            #expect(try value.member("a")?.kind == .array)
            #expect(try value.member("b")?.member("a")?.integer() == 3)
            #expect(try value.member("b")?.member("c")?.kind == .null)
            #expect(try value.member("c") == nil)
            var names: [String] = []
            for member in try value.members() { names.append(try member.name.string()) }
            #expect(names == ["o", "a", "b"])
        }
    }

    @Test("Elements come in order, whatever is nested in them")
    func elements() throws {
        let text = #"[1,[2,[3]],{"x":[4]},5]"#
        let kinds = try reading(text) { value throws(JSONError) in
            try value.elements { element throws(JSONError) in element.kind }
        }
        #expect(kinds == [.integer, .array, .object, .integer])
    }

    @Test("A raw slice is the value as it was sent")
    func rawSlices() throws {
        let text = #" { "id" : "\u0061\n" , "x" : [ 1 , { } ] } "#
        try reading(text) { value throws(JSONError) in
            #expect(try value.member("id").map { String(decoding: $0.rawSlice, as: UTF8.self) } == #""\u0061\n""#)
            #expect(try value.member("x").map { String(decoding: $0.rawSlice, as: UTF8.self) } == "[ 1 , { } ]")
            #expect(String(decoding: value.rawSlice, as: UTF8.self) == #"{ "id" : "\u0061\n" , "x" : [ 1 , { } ] }"#)
        }
    }

    @Test("Base64 is read from its own object only")
    func base64() throws {
        let good = try reading(#"{"base64":"AP8\/Pj4="}"#) { value throws(JSONError) in try value.base64() }
        #expect(good.equals(SecretBytes(copying: [0, 0xFF, 0x3F, 0x3E, 0x3E], count: 5)))
        let besides = try reading(#"{"x":1,"base64":"AA=="}"#) { value throws(JSONError) in try value.base64() }
        #expect(besides.equals(SecretBytes(copying: [0], count: 1)))
        let problems: [(String, JSONError.Problem)] = [
            (#"{"base64":"AA"}"#, .invalidBase64), (#"{"x":"AA=="}"#, .invalidBase64),
            (#"{}"#, .invalidBase64), (#""AA==""#, .wrongType(expected: .object, found: .string)),
            (#"{"base64":1}"#, .invalidBase64),
            (#"{"base64":"AAAA"}"#, .tooManyBytes(limit: 2)),
        ]
        for (text, problem) in problems {
            let found = failure(text) { value throws(JSONError) in _ = try value.base64(maximumBytes: 2) }
            #expect(found?.problem == problem, "\(text)")
        }
    }

    @Test("Two members of one name are found among many")
    func manyMembers() {
        for count in [11, 12, 13, 14, 200, 5000] {
            let members = (0..<count).map { #""name\#($0)":{"a":[\#($0)]}"# }
            #expect(problem(of: text("{" + members.joined(separator: ",") + "}")) == nil)
            let again = members + [#""\u006eame\#(count / 2)":1"#]
            #expect(problem(of: text("{" + again.joined(separator: ",") + "}")) == .duplicateMember)
        }
    }

    @Test("A scanner reads one text after another, whatever came before")
    func reuse() throws {
        var scanner = JSONScanner(maximumDepth: 4)
        let large = text("[" + Array(repeating: "[1]", count: 20_000).joined(separator: ",") + "]")
        let texts: [([UInt8], Int?)] = [
            (text("[1,2]"), 2), (large, 20_000), (text("[[[[["), nil), (text(#"[{"a":1,"a":2}]"#), nil),
            (text("[7]"), 1),
        ]
        for (bytes, count) in texts {
            let found = bytes.withUnsafeBytes { line in
                try? scanner.scan(line) { value throws(JSONError) in
                    try value.elements { element throws(JSONError) in element.kind }.count
                }
            }
            #expect(found == count)
        }
    }

    @Test("An error says where, and never what was sent")
    func errors() {
        let error = failure(#"{"user":"hunter2","hunter2":hunter2}"#) { _ throws(JSONError) in }
        #expect(error == JSONError(.expectedValue, at: 28))
        #expect(error.map { "\($0)\($0.problem.fix)".contains("hunter2") } == false)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A position in the text, and the reading of tokens from there on.
struct JSONCursor {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    var index = 0
    /// For a line of which only the id is read.
    var takesLoneSurrogates = false

    init(bytes: UnsafePointer<UInt8>, end: Int) {
        self.bytes = bytes
        self.end = end
    }

    func error(_ problem: JSONError.Problem) -> JSONError { JSONError(problem, at: index) }

    /// The next byte that is not white space, not yet consumed; nil at the end.
    mutating func nextToken() -> UInt8? {
        while index < end {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Consumes the opening bracket.
    mutating func container(_ kind: JSONKind, in parent: UInt32) -> JSONNode {
        index += 1
        return JSONNode(
            offset: UInt32(truncatingIfNeeded: index - 1), length: parent, next: 0, kind: kind, traits: [])
    }

    mutating func scalar(startingWith byte: UInt8, next: UInt32) throws(JSONError) -> JSONNode {
        switch byte {
        case UInt8(ascii: "\""): try string(next: next)
        case UInt8(ascii: "t"): try literal("true", .bool, .isTrue, next: next)
        case UInt8(ascii: "f"): try literal("false", .bool, [], next: next)
        case UInt8(ascii: "n"): try literal("null", .null, [], next: next)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(next: next)
        case 0xEF where index == 0 && end >= 3 && bytes[1] == 0xBB && bytes[2] == 0xBF: throw error(.byteOrderMark)
        default: throw error(.expectedValue)
        }
    }

    private mutating func literal(
        _ text: StaticString, _ kind: JSONKind, _ traits: JSONNode.Traits, next: UInt32
    ) throws(JSONError) -> JSONNode {
        let start = index
        for expected in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard index < end else { throw error(.endedEarly) }
            guard bytes[index] == expected else { throw JSONError(.expectedValue, at: start) }
            index += 1
        }
        return node(from: start, kind, traits, next: next)
    }

    func node(from start: Int, _ kind: JSONKind, _ traits: JSONNode.Traits, next: UInt32) -> JSONNode {
        JSONNode(
            offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: index - start), next: next,
            kind: kind, traits: traits)
    }
}

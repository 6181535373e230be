// SPDX-License-Identifier: Apache-2.0

/// The type of a member, for readers, errors and the schema.
package indirect enum ValueSchema: Sendable {
    /// A string, in bytes of UTF-8.
    case string(bytes: ClosedRange<Int>)
    /// One of these constants, byte for byte, and nothing else.
    case choice([String], text: String? = nil)
    /// One of these values at present; a reader accepts others within the limits, too.
    case word([String], bytes: ClosedRange<Int>)
    /// An absolute path of a file.
    case path(bytes: ClosedRange<Int>)
    case integer(ClosedRange<Int>)
    case boolean
    /// `{"base64": …}`, limits in decoded bytes.
    case data(bytes: ClosedRange<Int>)
    case requestID
    case constant(String)
    case array(of: ValueSchema, limit: Int?)
    case object(ObjectSchema)
    /// An object of any members.
    case anyObject
    /// An object whose members all have one type; the possible names, if they are fixed.
    case map(of: ValueSchema, names: [String]?)
    /// One of several types.
    case any([ValueSchema], expected: String)
}

/// The type of an object.
package struct ObjectSchema: Sendable {
    /// Its name in the components of the schema; nil if it is written where it is used.
    package let name: String?
    package let members: [MemberSchema]
    package let rules: [MemberRule]
    /// The member and the constant that distinguish it from others at the same position.
    package let tag: (member: String, word: String)?

    package init(
        name: String?, members: [MemberSchema], rules: [MemberRule] = [], tag: (member: String, word: String)? = nil
    ) {
        (self.name, self.members, self.rules, self.tag) = (name, members, rules, tag)
    }
}

extension ValueSchema {
    /// What is expected, for an error: it follows "Send … as".
    package var expected: String {
        switch self {
        case .string(let bytes), .word(_, let bytes): "a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
        case .choice(let words, let text): text ?? "one of " + words.joined(separator: ", ")
        case .path(let bytes): "an absolute path of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
        case .integer(let range): "an integer from \(range.lowerBound) to \(min(range.upperBound, 1 << 53 - 1))"
        case .boolean: "true or false"
        case .data(let bytes) where bytes.count == 1: "{\"base64\": …} of \(bytes.lowerBound) bytes"
        case .data(let bytes): "{\"base64\": …} of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
        case .requestID: "the id of a request"
        case .constant(let word): word
        case .array(of: .object, let limit?): "an array of at most \(limit) objects"
        case .array(of: .object, nil), .array(of: .any, _), .array(of: .anyObject, _): "an array of objects"
        case .array(_, let limit?): "an array of at most \(limit) strings"
        case .array: "an array of strings"
        case .object(let object): object.expected
        case .map, .anyObject: "an object"
        case .any(_, let expected): expected
        }
    }
}

extension ObjectSchema {
    /// An object, with the members that it must have.
    fileprivate var expected: String {
        let required = members.filter(\.isRequired).map { "\"\($0.name)\": …" }
        return required.isEmpty ? "an object" : "an object {\(required.joined(separator: ", "))}"
    }
}

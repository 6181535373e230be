// SPDX-License-Identifier: Apache-2.0

extension JSONError: CustomStringConvertible {
    /// Message and position in one line.
    package var description: String { "\(problem.message) (byte \(offset))" }
}

extension JSONKind: CustomStringConvertible {
    /// With its article, for messages.
    package var description: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}

extension JSONError.Problem {
    /// What is wrong, in one sentence without a full stop.
    package var message: String {
        switch self {
        case .empty: "The line is empty"
        case .endedEarly: "The line ends inside the JSON text"
        case .trailingBytes: "There is text after the JSON value"
        case .byteOrderMark: "The line begins with a byte order mark"
        case .invalidUTF8: "The text is not valid UTF-8"
        case .expectedValue: "A JSON value was expected"
        case .expectedName: "A member's name in double quotes was expected"
        case .expectedColon: "A colon was expected after the member's name"
        case .expectedCommaOrEnd: "A comma or the closing bracket was expected"
        case .invalidNumber: "The number is not written as JSON wants it"
        case .controlCharacter: "A control character is in a string without an escape"
        case .invalidEscape: "The escape is not one of JSON's"
        case .loneSurrogate: "A \\u escape has half of a surrogate pair"
        case .duplicateMember: "The object has two members of the same name"
        case .tooDeep(let limit): "The text is nested deeper than \(limit) levels"
        case .tooLong: "The text is longer than can be read"
        case .wrongType(let expected, let found): "This must be \(expected), not \(found)"
        case .notAnInteger: "This must be an integer without fraction or exponent, within ±(2^53−1)"
        case .outOfRange(let range): "The integer must be from \(range.lowerBound) to \(range.upperBound)"
        case .tooManyBytes(let limit): "The string is longer than \(limit) bytes of UTF-8"
        case .containsNUL: "The string contains U+0000"
        case .notAllowed: "The string is not one of the values allowed here"
        case .invalidBase64: "This is not {\"base64\": …} with padding (RFC 4648, section 4)"
        }
    }

    /// What the client's developer can do about it.
    package var fix: String {
        switch self {
        case .empty: "Send one JSON object on each line."
        case .endedEarly: "Send the whole document on one line; escape line breaks in strings as \\n."
        case .trailingBytes: "Send one JSON document on each line, ended by a line feed."
        case .byteOrderMark, .invalidUTF8: "Send UTF-8 without a byte order mark."
        case .expectedValue, .expectedName, .expectedColon, .expectedCommaOrEnd:
            "Write the request with a JSON library; RFC 8259 has no comments, trailing commas or single quotes."
        case .invalidNumber:
            "Write numbers without leading zeros or a plus sign, with digits on both sides of the point."
        case .controlCharacter: "Escape control characters, as in \\u0009."
        case .invalidEscape: "Use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hexadecimal digits."
        case .loneSurrogate: "Write characters beyond U+FFFF as UTF-8 or as a pair of \\u escapes."
        case .duplicateMember: "Send each member once."
        case .tooDeep: "Send a flatter document."
        case .tooLong: "Send a shorter document."
        case .wrongType(let expected, _): "Send \(expected)."
        case .notAnInteger: "Send larger numbers as decimal strings where the protocol allows them."
        case .outOfRange(let range): "Send an integer from \(range.lowerBound) to \(range.upperBound)."
        case .tooManyBytes(let limit): "Send at most \(limit) bytes."
        case .containsNUL: "Send binary data as {\"base64\": …} in a data member."
        case .notAllowed: "Send one of the values that protocol.md lists."
        case .invalidBase64: "Encode with the standard alphabet, with padding and without line breaks."
        }
    }
}

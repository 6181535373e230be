// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

extension MemberReader {
    package mutating func string(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> String {
        try required(name, Self.text(bytes)) { value throws(JSONError) in try Self.string(value, bytes) }
    }

    package mutating func optionalString(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> String? {
        try optional(name, Self.text(bytes)) { value throws(JSONError) in try Self.string(value, bytes) }
    }

    /// The absolute path of a file.
    package mutating func path(_ name: StaticString) throws(ProtocolProblem) -> String {
        try required(name, "an absolute path of 2 to \(Limits.pathBytes) bytes") { value throws(JSONError) in
            let path = try Self.string(value, 2...Limits.pathBytes)
            guard path.hasPrefix("/"), !path.hasSuffix("/") else { throw value.error(.notAllowed) }
            return path
        }
    }

    /// A string that is one of a few.
    package mutating func optionalString(
        _ name: StaticString, oneOf choices: [String]
    ) throws(ProtocolProblem) -> String? {
        try optional(name, "one of " + choices.joined(separator: ", ")) { value throws(JSONError) in
            let text = try value.string(maximumBytes: 64)
            guard choices.contains(text) else { throw value.error(.notAllowed) }
            return text
        }
    }

    /// `interaction`, which is `allow` where it is absent.
    package mutating func interaction() throws(ProtocolProblem) -> Interaction {
        try optional("interaction", "allow or forbid") { value throws(JSONError) in try value.choice() } ?? .allow
    }

    package mutating func secret(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> SecretBytes {
        try required(name, Self.text(bytes)) { value throws(JSONError) in try Self.secret(value, bytes) }
    }

    package mutating func optionalSecret(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> SecretBytes? {
        try optional(name, Self.text(bytes)) { value throws(JSONError) in try Self.secret(value, bytes) }
    }

    /// `{"base64": "…"}`
    package mutating func optionalData(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> SecretBytes? {
        let expected =
            bytes.count == 1 ? "\(bytes.lowerBound) bytes" : "\(bytes.lowerBound) to \(bytes.upperBound) bytes"
        return try optional(name, "{\"base64\": …} of \(expected)") { value throws(JSONError) in
            let data = try value.base64(maximumBytes: bytes.upperBound)
            guard bytes.contains(data.count) else { throw value.error(.notAllowed) }
            return data
        }
    }

    package mutating func integer(
        _ name: StaticString, in range: ClosedRange<Int>
    ) throws(ProtocolProblem) -> Int {
        try required(name, Self.number(range)) { value throws(JSONError) in try Self.integer(value, range) }
    }

    package mutating func optionalInteger(
        _ name: StaticString, in range: ClosedRange<Int>
    ) throws(ProtocolProblem) -> Int? {
        try optional(name, Self.number(range)) { value throws(JSONError) in try Self.integer(value, range) }
    }

    package mutating func bool(_ name: StaticString) throws(ProtocolProblem) -> Bool {
        try required(name, "true or false") { value throws(JSONError) in try value.bool() }
    }

    package mutating func optionalBool(_ name: StaticString) throws(ProtocolProblem) -> Bool? {
        try optional(name, "true or false") { value throws(JSONError) in try value.bool() }
    }

    package mutating func requestID(_ name: StaticString) throws(ProtocolProblem) -> RequestID {
        try required(name, "the id of a request") { value throws(JSONError) in
            guard let id = RequestID(value) else { throw value.error(.notAllowed) }
            return id
        }
    }

    package mutating func optionalRequestID(_ name: StaticString) throws(ProtocolProblem) -> RequestID? {
        try optional(name, "the id of a request") { value throws(JSONError) in
            guard let id = RequestID(value) else { throw value.error(.notAllowed) }
            return id
        }
    }

    private static func text(_ bytes: ClosedRange<Int>) -> String {
        "a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
    }

    private static func number(_ range: ClosedRange<Int>) -> String {
        "an integer from \(range.lowerBound) to \(min(range.upperBound, 1 << 53 - 1))"
    }

    private static func string(_ value: JSONValue, _ bytes: ClosedRange<Int>) throws(JSONError) -> String {
        let text = try value.string(maximumBytes: bytes.upperBound)
        guard text.utf8.count >= bytes.lowerBound else { throw value.error(.notAllowed) }
        return text
    }

    private static func secret(_ value: JSONValue, _ bytes: ClosedRange<Int>) throws(JSONError) -> SecretBytes {
        let secret = try value.secret(maximumBytes: bytes.upperBound)
        guard secret.count >= bytes.lowerBound else { throw value.error(.notAllowed) }
        return secret
    }

    private static func integer(_ value: JSONValue, _ range: ClosedRange<Int>) throws(JSONError) -> Int {
        Int(try value.integer(in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }
}

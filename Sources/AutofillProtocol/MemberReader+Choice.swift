// SPDX-License-Identifier: Apache-2.0

extension MemberReader {
    /// A string that is one of the raw values.
    package mutating func choice<Choice: RawRepresentable<String>>(
        _ name: StaticString, of type: Choice.Type = Choice.self
    ) throws(ProtocolProblem) -> Choice {
        try required(name, "one of the values of protocol.md") { value throws(JSONError) in try value.choice() }
    }

    package mutating func optionalChoice<Choice: RawRepresentable<String>>(
        _ name: StaticString, of type: Choice.Type = Choice.self
    ) throws(ProtocolProblem) -> Choice? {
        try optional(name, "one of the values of protocol.md") { value throws(JSONError) in try value.choice() }
    }
}

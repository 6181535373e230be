// SPDX-License-Identifier: Apache-2.0

/// For values that are no `Message`: values in the vault, lines of the journal.
extension MemberReader {
    package mutating func string(_ name: StaticString, bytes: ClosedRange<Int>) throws(ProtocolProblem) -> String {
        try required(name, TextType(bytes: bytes))
    }

    package mutating func optionalString(
        _ name: StaticString, bytes: ClosedRange<Int>
    ) throws(ProtocolProblem) -> String? { try optional(name, TextType(bytes: bytes)) }

    package mutating func integer(_ name: StaticString, in range: ClosedRange<Int>) throws(ProtocolProblem) -> Int {
        try required(name, IntegerType(range: range))
    }

    package mutating func optionalInteger(
        _ name: StaticString, in range: ClosedRange<Int>
    ) throws(ProtocolProblem) -> Int? { try optional(name, IntegerType(range: range)) }

    /// A string that is one of the raw values.
    package mutating func choice<Choice: RawRepresentable<String>>(
        _ name: StaticString, of type: Choice.Type = Choice.self
    ) throws(ProtocolProblem) -> Choice {
        guard let value = find(name) else { throw missing(name, "one of the values of protocol.md") }
        do throws(JSONError) { return try value.choice() } catch {
            throw invalid(name, "one of the values of protocol.md")
        }
    }
}

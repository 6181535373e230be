// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of a message.
struct FieldReader<Root>: FieldVisitor {
    var isReading: Bool { true }
    var members: MemberReader

    @inline(__always)
    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _: (Root) -> Type.Value, _ type: Type, _: StaticString
    ) throws(ProtocolProblem) -> Type.Value {
        try members.required(name, type)
    }

    @inline(__always)
    mutating func callAsFunction<Type: WireType>(
        optional name: StaticString, _: (Root) -> Type.Value?, _ type: Type, _: StaticString
    ) throws(ProtocolProblem) -> Type.Value? {
        try members.optional(name, type)
    }

    @inline(__always)
    mutating func callAsFunction<Other: Message>(_: (Root) -> Other) throws(ProtocolProblem) -> Other {
        try Other(from: &members)
    }

    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _ get: (Root) -> Kind, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Kind { try self(name, get, ChoiceType<Kind>(), sentence) }

    mutating func writeOnly<Type: WireType>(_ name: StaticString, _: Type, _: StaticString) { _ = members.find(name) }

    mutating func tag(_ name: StaticString, _: StaticString) { _ = members.find(name) }

    @inline(__always)
    mutating func rule(
        _ count: MemberRule.Count, of names: [StaticString], found: @autoclosure () -> Int?, _ expected: String
    ) throws(ProtocolProblem) {
        let found = found() ?? names.count { members.find($0) != nil }
        if found == 0, count != .atMostOne { throw members.missing(names[0], expected) }
        if found > 1, count != .oneOrMore { throw members.ambiguous(names) }
    }

    func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem { members.missing(name, expected) }
    func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem { members.invalid(name, expected) }
}

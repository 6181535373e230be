// SPDX-License-Identifier: Apache-2.0

/// Collects the schema of a message from its fields.
struct FieldNotes<Root>: FieldVisitor {
    var isReading: Bool { false }
    /// The kind of message, if there are several.
    var constant: String?
    private(set) var members: [MemberSchema] = []
    private(set) var rules: [MemberRule] = []

    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _: (Root) -> Type.Value, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value {
        members.append(MemberSchema(name, type.schema, .needed, sentence))
        return try type.sample
    }

    mutating func callAsFunction<Type: WireType>(
        optional name: StaticString, _: (Root) -> Type.Value?, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value? {
        members.append(MemberSchema(name, type.schema, .optional, sentence))
        return try type.sample
    }

    mutating func callAsFunction<Other: Message>(_: (Root) -> Other) throws(ProtocolProblem) -> Other {
        var notes = FieldNotes<Other>()
        let other = try Other.fields(&notes)
        members += notes.members
        rules += notes.rules
        return other
    }

    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _: (Root) -> Kind, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Kind {
        guard let constant, let kind = Kind(rawValue: constant) else {
            return try self(name, { _ in Kind.allCases[Kind.allCases.startIndex] }, ChoiceType<Kind>(), sentence)
        }
        members.append(MemberSchema(name, .constant(constant), .needed, sentence))
        return kind
    }

    mutating func writeOnly<Type: WireType>(_ name: StaticString, _ type: Type, _ sentence: StaticString) {
        members.append(MemberSchema(name, type.schema, .needed, sentence))
    }

    mutating func tag(_ name: StaticString, _ constant: StaticString) {
        members.append(MemberSchema(name, .constant("\(constant)"), .needed, "Which kind it is."))
    }

    mutating func rule(
        _ count: MemberRule.Count, of members: [StaticString], found _: @autoclosure () -> Int?, _: String
    ) {
        rules.append(MemberRule(count: count, members: members.map { "\($0)" }))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Notes what the fields of a message are, for its schema.
struct FieldNotes<Root>: FieldVisitor {
    var isReading: Bool { false }
    /// The kind of message to note, where there are several.
    var word: String?
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

    mutating func callAsFunction<Type: WireType>(
        nullable name: StaticString, _: (Root) -> Type.Value?, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value? {
        members.append(MemberSchema(name, type.schema, .nullable, sentence))
        return try type.sample
    }

    mutating func callAsFunction<Part: Message>(_: (Root) -> Part) throws(ProtocolProblem) -> Part {
        var notes = FieldNotes<Part>()
        let part = try Part.fields(&notes)
        members += notes.members
        rules += notes.rules
        return part
    }

    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _: (Root) -> Kind, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Kind {
        guard let word, let kind = Kind(rawValue: word) else {
            return try self(name, { _ in Kind.allCases[Kind.allCases.startIndex] }, ChoiceType<Kind>(), sentence)
        }
        members.append(MemberSchema(name, .constant(word), .needed, sentence))
        return kind
    }

    mutating func told<Type: WireType>(_ name: StaticString, _ type: Type, _ sentence: StaticString) {
        members.append(MemberSchema(name, type.schema, .needed, sentence))
    }

    mutating func tag(_ name: StaticString, _ word: StaticString) {
        members.append(MemberSchema(name, .constant("\(word)"), .needed, "Which kind it is."))
    }

    mutating func rule(_ count: MemberRule.Count, of members: [StaticString], _: String) {
        rules.append(MemberRule(count: count, members: members.map { "\($0)" }))
    }
}

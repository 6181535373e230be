// SPDX-License-Identifier: Apache-2.0

/// What a message's fields are shown to: one that reads them, writes them, or notes what they are.
package protocol FieldVisitor<Root> {
    /// The message.
    associatedtype Root
    /// Whether the fields come from outside: what a message then finds wrong with them is thrown.
    var isReading: Bool { get }

    /// A member that is always there.
    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _ get: (Root) -> Type.Value, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value

    /// A member that is left out where there is nothing.
    mutating func callAsFunction<Type: WireType>(
        optional name: StaticString, _ get: (Root) -> Type.Value?, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value?

    /// A member that is `null` where there is nothing. A reader takes its absence for that.
    mutating func callAsFunction<Type: WireType>(
        nullable name: StaticString, _ get: (Root) -> Type.Value?, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value?

    /// The fields of another message, among this one's own.
    mutating func callAsFunction<Part: Message>(_ get: (Root) -> Part) throws(ProtocolProblem) -> Part

    /// A member that says which of several kinds of message this is.
    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _ get: (Root) -> Kind, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Kind

    /// A member that is written for clients of other makers; no message keeps it.
    mutating func told<Type: WireType>(_ name: StaticString, _ type: Type, _ sentence: StaticString)
    where Type.Value == Void

    /// A member with one word, by which the message is told from others in its place.
    mutating func tag(_ name: StaticString, _ word: StaticString)

    /// So many of these members must be there; the problem names the first of them.
    mutating func rule(
        _ count: MemberRule.Count, of members: [StaticString], _ expected: String
    ) throws(ProtocolProblem)

    /// The problem of a member that is not there, for what a message finds out itself.
    func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem
    /// The problem of a member that is not as it should be.
    func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem
}

extension FieldVisitor {
    // Of what is written or noted no reader is told.
    package func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterMissing, member: "\(name)", detail: expected)
    }

    package func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterInvalid, member: "\(name)", detail: expected)
    }
}

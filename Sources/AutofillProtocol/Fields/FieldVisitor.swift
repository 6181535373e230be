// SPDX-License-Identifier: Apache-2.0

/// Visits the fields of a message: it reads them, writes them, or collects their schema.
package protocol FieldVisitor<Root> {
    /// The message.
    associatedtype Root
    /// Whether the fields are input: then a message throws the problems that it finds.
    var isReading: Bool { get }

    /// A member that is always present.
    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _ get: (Root) -> Type.Value, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value

    /// A member that is absent if there is no value.
    mutating func callAsFunction<Type: WireType>(
        optional name: StaticString, _ get: (Root) -> Type.Value?, _ type: Type, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value?

    /// The fields of another message, among this one's own.
    mutating func callAsFunction<Other: Message>(_ get: (Root) -> Other) throws(ProtocolProblem) -> Other

    /// A member that states which of several kinds of message this is.
    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _ get: (Root) -> Kind, _ sentence: StaticString
    ) throws(ProtocolProblem) -> Kind

    /// A member that is written, and never read into a message.
    mutating func writeOnly<Type: WireType>(_ name: StaticString, _ type: Type, _ sentence: StaticString)
    where Type.Value == Void

    /// A member with a constant, which distinguishes the message from others at the same position.
    mutating func tag(_ name: StaticString, _ constant: StaticString)

    /// This number of these members must be present. The problem of none names the first of them, that of too many all.
    ///
    /// - Parameter found: how many were read, where the caller has their values; nil: a reader counts them.
    mutating func rule(
        _ count: MemberRule.Count, of members: [StaticString], found: @autoclosure () -> Int?, _ expected: String
    ) throws(ProtocolProblem)

    /// The problem of a missing member, for checks of the message itself.
    func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem
    /// The problem of an invalid member.
    func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem
}

extension FieldVisitor {
    mutating func rule(
        _ count: MemberRule.Count, of members: [StaticString], _ expected: String
    ) throws(ProtocolProblem) { try rule(count, of: members, found: nil, expected) }

    // Unused by writers and schema collectors.
    package func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterMissing, member: "\(name)", detail: expected)
    }

    package func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterInvalid, member: "\(name)", detail: expected)
    }
}

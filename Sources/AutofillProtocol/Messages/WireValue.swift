// SPDX-License-Identifier: Apache-2.0

/// A value of the wire: what `write` writes, `init(from:)` reads back. A `Message` has both from its fields.
package protocol WireValue: Sendable {
    /// Reads the members of one object. Throws `parameter-missing` or `parameter-invalid` with the member's path.
    init(from members: inout MemberReader) throws(ProtocolProblem)
    /// Writes the members, without the braces.
    func write(to writer: inout JSONWriter)
}

/// The parameters of a method, together with what it is and what it answers.
package protocol MethodCall: Message {
    associatedtype Answer: Message
    static var declaration: MethodDeclaration { get }
    /// Whether it may be sent again when its answer was lost.
    var isRepeatable: Bool { get }
    /// The proof that it brings, where it is a `ProvableCall`.
    var broughtProof: Proof? { get }
    /// Whether the user may be prompted, where it is an `InteractingCall`.
    var wishedInteraction: Interaction? { get }
    /// Whether its parameters may have a `context`: those of a call that may prompt, or that describes a page's form.
    static var acceptsContext: Bool { get }
}

extension MethodCall {
    package var broughtProof: Proof? { nil }
    package var wishedInteraction: Interaction? { nil }
    package static var acceptsContext: Bool { declaration.admitsPrompt }
    package static var method: Method { declaration.method }
    package var isRepeatable: Bool { Self.declaration.isRepeatable }
}

/// A call that, with proof, has access to what is not the app's own.
package protocol ProvableCall: MethodCall {
    var proof: Proof? { get }
}

extension ProvableCall {
    package var broughtProof: Proof? { proof }
}

/// Whether something was changed.
package struct Changed: Message, Hashable {
    package let changed: Bool

    package init(_ changed: Bool) { self.changed = changed }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(try field.changed(\.changed))
    }
}

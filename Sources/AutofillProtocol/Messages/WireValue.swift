// SPDX-License-Identifier: Apache-2.0

/// A value of the wire: what `write` writes, `init(from:)` reads back.
package protocol WireValue: Sendable {
    /// Reads the members of one object. Throws `parameter-missing` or `parameter-invalid` with the member's path.
    init(from members: inout MemberReader) throws(ProtocolProblem)
    /// Writes the members, without the braces.
    func write(to writer: inout JSONWriter)
}

/// The parameters of a method, together with what it answers.
package protocol MethodCall: WireValue {
    associatedtype Answer: WireValue
    static var method: Method { get }
    /// Whether it may be sent again when its answer was lost.
    var isRepeatable: Bool { get }
}

extension MethodCall {
    package var isRepeatable: Bool { Self.method.isRepeatable }
}

/// An answer, or parameters, without members.
package struct Nothing: WireValue, Hashable {
    package init() {}
    package init(from members: inout MemberReader) throws(ProtocolProblem) {}
    package func write(to writer: inout JSONWriter) {}
}

/// Whether something was changed; false when the same had been done before.
package struct Changed: WireValue, Hashable {
    package let changed: Bool

    package init(_ changed: Bool) { self.changed = changed }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) { writer.member("changed", changed) }
}

/// A call that, with proof, reaches what is not the app's own.
package protocol ProvableCall: MethodCall {
    var proof: Proof? { get }
}

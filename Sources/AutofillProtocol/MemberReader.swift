// SPDX-License-Identifier: Apache-2.0

/// Reads the members of one object by name, and records which were read, so that unknown members can be listed.
///
/// A member that is `null` counts as absent. Every error names the member's path and what is expected there, never what
/// was sent.
package struct MemberReader {
    let value: JSONValue?
    /// The path of the object around this one.
    private let parent: String
    /// The name of this one there; nil at the top.
    private let name: StaticString?
    /// Its position, where that is an array.
    private let position: Int?
    /// The members read so far, a bit each; those after the 64th always count as unknown.
    private var asked: UInt64 = 0
    private var unknownBelow: [String] = []

    /// The value must be an object; nil is one without members.
    package init(_ value: JSONValue?) {
        self.value = value
        (parent, name, position) = ("", nil, nil)
    }

    /// A member of another object, or one element of it. The value must be an object.
    init(_ value: JSONValue, in other: borrowing MemberReader, _ name: StaticString, at position: Int? = nil) {
        self.value = value
        (parent, self.name, self.position) = (other.path, name, position)
    }

    /// The path of the object: empty at the top, else `service.` or `fields[2].`.
    private var path: String {
        guard let name else { return "" }
        return parent + (position.map { "\(name)[\($0)]." } ?? "\(name).")
    }

    /// The paths of the members that were not read.
    package var unknown: [String] {
        guard let members = try? value?.members() else { return [] }
        var result = unknownBelow
        for (index, member) in members.enumerated() where index >= 64 || asked & (1 << UInt64(index)) == 0 {
            let name = (try? member.name.string(maximumBytes: 64)) ?? "…"
            result.append(path + name)
        }
        return result
    }

    /// Counts the unknown members of an object below this one.
    package mutating func adopt(_ nested: MemberReader) {
        let unknown = nested.unknown
        if !unknown.isEmpty { unknownBelow += unknown }
    }

    package func missing(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterMissing, member: path + "\(name)", detail: expected)
    }

    /// The problem of several members of which one excludes the others.
    func ambiguous(_ names: [StaticString]) -> ProtocolProblem {
        let named = names.map { "\"\(path)\($0)\"" }
        let list = named.dropLast().joined(separator: ", ") + " and " + (named.last ?? "")
        return ProtocolProblem(
            .parameterInvalid, member: path + "\(names[0])", detail: "only one of \(list)",
            fix: "Send only one of \(list)")
    }

    func invalid(_ name: StaticString, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterInvalid, member: path + "\(name)", detail: expected)
    }

    /// The problem of one element of an array, counted from 0.
    func invalid(_ name: StaticString, at index: Int, _ expected: String) -> ProtocolProblem {
        ProtocolProblem(.parameterInvalid, member: path + "\(name)[\(index)]", detail: expected)
    }

    mutating func find(_ name: StaticString) -> JSONValue? {
        guard let members = try? value?.members() else { return nil }
        for (index, member) in members.enumerated() where member.name.matches(name) {
            if index < 64 { asked |= 1 << UInt64(index) }
            return member.value.kind == .null ? nil : member.value
        }
        return nil
    }

    /// A member of a type, or nil if it is absent.
    @inline(__always)
    mutating func optional<Type: WireType>(
        _ name: StaticString, _ type: Type
    ) throws(ProtocolProblem) -> Type.Value? {
        guard let value = find(name) else { return nil }
        return try type.read(value, name, of: &self)
    }

    /// A member of a type, which must be present.
    @inline(__always)
    mutating func required<Type: WireType>(
        _ name: StaticString, _ type: Type
    ) throws(ProtocolProblem) -> Type.Value {
        guard let value = find(name) else { throw missing(name, type.schema.expected) }
        return try type.read(value, name, of: &self)
    }
}

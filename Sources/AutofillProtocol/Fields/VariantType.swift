// SPDX-License-Identifier: Apache-2.0

/// A message of several kinds; its first member, `type`, states which.
package protocol VariantMessage: Message {
    associatedtype Kind: RawRepresentable<String> & CaseIterable & Equatable & Sendable
    var kind: Kind { get }
}

/// An object of one of several kinds.
package struct VariantType<Value: VariantMessage>: WireType {
    /// Those that are accepted, at least one.
    let kinds: [Value.Kind]

    init(_ kinds: [Value.Kind]) { self.kinds = kinds }

    package var schema: ValueSchema {
        let objects = kinds.map { kind in
            let schema = Value.schema(of: kind.rawValue)
            return ValueSchema.object(
                ObjectSchema(name: "\(Value.self).\(kind.rawValue)", members: schema.members, rules: schema.rules))
        }
        return .any(objects, expected: "an object {\"type\": …}, of type \(names)")
    }

    private var names: String { kinds.map(\.rawValue).joined(separator: ", ") }

    package var sample: Value {
        get throws(ProtocolProblem) {
            var notes = FieldNotes<Value>()
            notes.constant = kinds.first?.rawValue
            return try Value.fields(&notes)
        }
    }

    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> Value {
        guard value.kind == .object else { throw members.invalid(name, schema.expected) }
        var nested = MemberReader(value, in: members, name)
        let result = try Value(from: &nested)
        guard kinds.contains(result.kind) else { throw nested.invalid("type", "one of \(names)") }
        members.adopt(nested)
        return result
    }

    package func write(_ value: Value, to writer: inout JSONWriter) { writer.object(value) }
}

// SPDX-License-Identifier: Apache-2.0

/// An object with fields of its own.
package struct ObjectType<Value: Message>: WireType {
    package var schema: ValueSchema { .object(Value.schema()) }
    package var sample: Value {
        get throws(ProtocolProblem) {
            var notes = FieldNotes<Value>()
            return try Value.fields(&notes)
        }
    }

    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> Value {
        guard value.kind == .object else { throw members.invalid(name, schema.expected) }
        var nested = MemberReader(value, in: members, name)
        let result = try Value(from: &nested)
        members.adopt(nested)
        return result
    }

    package func write(_ value: Value, to writer: inout JSONWriter) { writer.object(value) }
}

/// An array of objects with a maximum count.
package struct ObjectsType<Element: Message>: WireType {
    let limit: Int?

    package var schema: ValueSchema { .array(of: .object(Element.schema()), limit: limit) }
    package var sample: [Element] { [] }

    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> [Element] {
        guard let values = try? value.elements() else { throw members.invalid(name, schema.expected) }
        var elements: [Element] = []
        for value in values {
            guard elements.count < limit ?? .max else { throw members.invalid(name, schema.expected) }
            guard value.kind == .object else { throw members.invalid(name, at: elements.count, "an object") }
            var nested = MemberReader(value, in: members, name, at: elements.count)
            elements.append(try Element(from: &nested))
            members.adopt(nested)
        }
        return elements
    }

    package func write(_ elements: [Element], to writer: inout JSONWriter) {
        writer.array { writer in
            for element in elements { writer.object(element) }
        }
    }
}

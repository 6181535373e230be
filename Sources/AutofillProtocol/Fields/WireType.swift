// SPDX-License-Identifier: Apache-2.0

/// What a value is on the wire: how it is read and written, and what the schema and the errors say of it.
package protocol WireType<Value> {
    associatedtype Value
    var schema: ValueSchema { get }
    /// Some value of the type, for a look at what a message's fields are.
    var sample: Value { get throws(ProtocolProblem) }
    /// Reads what stands at a member that is there and not null.
    func read(_ value: JSONValue, _ name: StaticString, of members: inout MemberReader) throws(ProtocolProblem) -> Value
    func write(_ value: Value, to writer: inout JSONWriter)
}

/// A type without members of its own: whatever its reader throws becomes `parameter-invalid` in the schema's words.
package protocol ScalarType<Value>: WireType {
    func read(_ value: JSONValue) throws(JSONError) -> Value
}

extension ScalarType {
    @inline(__always)
    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> Value {
        do throws(JSONError) { return try read(value) } catch { throw members.invalid(name, schema.expected) }
    }
}

/// A member that is left out or `null` by a rule of its message's own.
struct NullableType<Base: WireType>: WireType {
    let base: Base

    var schema: ValueSchema { base.schema }
    var sample: Base.Value? { get throws(ProtocolProblem) { try base.sample } }

    func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> Base.Value? { try base.read(value, name, of: &members) }

    func write(_ value: Base.Value?, to writer: inout JSONWriter) {
        if let value { base.write(value, to: &writer) } else { writer.null() }
    }
}

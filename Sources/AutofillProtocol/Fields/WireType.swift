// SPDX-License-Identifier: Apache-2.0

/// The type of a value on the wire: how it is read and written, and its schema.
package protocol WireType<Value> {
    associatedtype Value
    var schema: ValueSchema { get }
    /// Any value of the type, for collecting the schema of a message.
    var sample: Value { get throws(ProtocolProblem) }
    /// Reads the value of a member that is present and not null.
    func read(_ value: JSONValue, _ name: StaticString, of members: inout MemberReader) throws(ProtocolProblem) -> Value
    func write(_ value: Value, to writer: inout JSONWriter)
}

/// A type without members of its own. Any error of its reader is reported as `parameter-invalid` with the schema's text.
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

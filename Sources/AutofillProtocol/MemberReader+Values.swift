// SPDX-License-Identifier: Apache-2.0

extension MemberReader {
    /// The reader must be passed to `adopt` afterwards.
    package mutating func optionalObject(_ name: StaticString) throws(ProtocolProblem) -> MemberReader? {
        guard let value = find(name) else { return nil }
        guard value.kind == .object else { throw invalid(name, "an object") }
        return MemberReader(value, in: self, name)
    }

    package mutating func value<Value: WireValue>(_ name: StaticString) throws(ProtocolProblem) -> Value {
        guard let value: Value = try optionalValue(name) else { throw missing(name, "an object") }
        return value
    }

    package mutating func optionalValue<Value: WireValue>(_ name: StaticString) throws(ProtocolProblem) -> Value? {
        guard var nested = try optionalObject(name) else { return nil }
        let value = try Value(from: &nested)
        adopt(nested)
        return value
    }

    /// Where the user sees what a call is for; nil where it was not sent.
    package mutating func context() throws(ProtocolProblem) -> PageContext? { try optionalValue("context") }

    package mutating func values<Value: WireValue>(_ name: StaticString) throws(ProtocolProblem) -> [Value] {
        let expected = "an array of objects"
        guard let array = find(name) else { throw missing(name, expected) }
        guard let elements = try? array.elements() else { throw invalid(name, expected) }
        var values: [Value] = []
        for element in elements {
            guard element.kind == .object else { throw invalid(name, expected) }
            var nested = MemberReader(element, in: self, name, at: values.count)
            values.append(try Value(from: &nested))
            adopt(nested)
        }
        return values
    }
}

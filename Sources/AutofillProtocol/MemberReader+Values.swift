// SPDX-License-Identifier: Apache-2.0

extension MemberReader {
    package mutating func object(_ name: StaticString) throws(ProtocolProblem) -> MemberReader {
        guard let object = try optionalObject(name) else { throw missing(name, "an object") }
        return object
    }

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

    package mutating func values<Value: WireValue>(
        _ name: StaticString, limit: Int = .max
    ) throws(ProtocolProblem) -> [Value] {
        guard let values: [Value] = try optionalValues(name, limit: limit) else {
            throw missing(name, Self.objects(limit))
        }
        return values
    }

    package mutating func optionalValues<Value: WireValue>(
        _ name: StaticString, limit: Int = .max
    ) throws(ProtocolProblem) -> [Value]? {
        guard isThere(name) else { return nil }
        var values: [Value] = []
        for var nested in try elements(name, limit) {
            values.append(try Value(from: &nested))
            adopt(nested)
        }
        return values
    }

    private static func objects(_ limit: Int) -> String {
        limit == .max ? "an array of objects" : "an array of at most \(limit) objects"
    }

    private mutating func elements(
        _ name: StaticString, _ limit: Int
    ) throws(ProtocolProblem) -> [MemberReader] {
        let expected = Self.objects(limit)
        guard let array = find(name) else { throw missing(name, expected) }
        guard let elements = try? array.elements() else { throw invalid(name, expected) }
        var readers: [MemberReader] = []
        for element in elements {
            guard element.kind == .object, readers.count < limit else { throw invalid(name, expected) }
            readers.append(MemberReader(element, in: self, name, at: readers.count))
        }
        return readers
    }

    private mutating func isThere(_ name: StaticString) -> Bool { find(name) != nil }
}

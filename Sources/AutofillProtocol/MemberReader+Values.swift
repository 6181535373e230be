// SPDX-License-Identifier: Apache-2.0

extension MemberReader {
    package mutating func object(_ name: StaticString) throws(ProtocolProblem) -> MemberReader {
        guard let object = try optionalObject(name) else { throw missing(name, "an object") }
        return object
    }

    /// What is read from it must be given to `adopt`.
    package mutating func optionalObject(_ name: StaticString) throws(ProtocolProblem) -> MemberReader? {
        guard let value = find(name) else { return nil }
        guard value.kind == .object else { throw invalid(name, "an object") }
        return MemberReader(value, path: path + "\(name).")
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
            throw missing(name, "an array of objects")
        }
        return values
    }

    package mutating func optionalValues<Value: WireValue>(
        _ name: StaticString, limit: Int = .max
    ) throws(ProtocolProblem) -> [Value]? {
        guard isThere(name) else { return nil }
        var values: [Value] = []
        for var nested in try objects(name, limit: limit) {
            values.append(try Value(from: &nested))
            adopt(nested)
        }
        return values
    }

    /// What is read from them must be given to `adopt`.
    package mutating func objects(
        _ name: StaticString, limit: Int = .max
    ) throws(ProtocolProblem) -> [MemberReader] {
        let expected = limit == .max ? "an array of objects" : "an array of at most \(limit) objects"
        guard let array = find(name) else { throw missing(name, expected) }
        guard let elements = try? array.elements() else { throw invalid(name, expected) }
        var readers: [MemberReader] = []
        for element in elements {
            guard element.kind == .object, readers.count < limit else { throw invalid(name, expected) }
            readers.append(MemberReader(element, path: path + "\(name)[\(readers.count)]."))
        }
        return readers
    }

    package mutating func strings(_ name: StaticString) throws(ProtocolProblem) -> [String] {
        try required(name, "an array of strings") { value throws(JSONError) in
            try value.elements { element throws(JSONError) in try element.string() }
        }
    }

    package mutating func optionalStrings(_ name: StaticString) throws(ProtocolProblem) -> [String]? {
        try optional(name, "an array of strings") { value throws(JSONError) in
            try value.elements { element throws(JSONError) in try element.string() }
        }
    }

    /// All members of an object whose values are strings.
    package func allStrings() throws(ProtocolProblem) -> [(String, String)] {
        var result: [(String, String)] = []
        do {
            guard let value else { return [] }
            for member in try value.members() { result.append((try member.name.string(), try member.value.string())) }
        } catch {
            throw ProtocolProblem(.parameterInvalid, member: path, detail: "an object of strings")
        }
        return result
    }

    private mutating func isThere(_ name: StaticString) -> Bool { find(name) != nil }
}

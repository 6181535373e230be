// SPDX-License-Identifier: Apache-2.0

/// A configuration file's JSON, as read: members in their order, duplicates kept so that they can be refused by name.
package indirect enum ConfigurationValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number that is no integer, or too large for one: no member accepts it.
    case otherNumber
    case string(String)
    case array([ConfigurationValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: ConfigurationValue

        package init(name: String, value: ConfigurationValue) {
            self.name = name
            self.value = value
        }
    }

    /// The kind with its article, for a sentence.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer: "a whole number"
        case .otherNumber: "a number with a fraction or exponent, or a very large one"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension ConfigurationValue {
    package func bool(at path: ConfigurationPath, _ findings: inout ConfigurationFindings) -> Bool? {
        guard case .bool(let value) = self else {
            refuseKind(at: path, wanted: "true or false", &findings)
            return nil
        }
        return value
    }

    package func integer(
        in range: ClosedRange<Int>, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> Int? {
        guard case .integer(let value) = self else {
            refuseKind(at: path, wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)", &findings)
            return nil
        }
        guard range.contains(value) else {
            findings.refuse(
                path, "\(value) is out of range.",
                fix: "Write a number from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return value
    }

    package func string(at path: ConfigurationPath, _ findings: inout ConfigurationFindings) -> String? {
        guard case .string(let value) = self else {
            refuseKind(at: path, wanted: "a string", &findings)
            return nil
        }
        return value
    }

    /// A string that `make` accepts.
    package func checked<Value, Refusal: Explained>(
        at path: ConfigurationPath, _ findings: inout ConfigurationFindings, _ make: (String) throws(Refusal) -> Value
    ) -> Value? {
        guard let text = string(at: path, &findings) else { return nil }
        do {
            return try make(text)
        } catch {
            findings.refuse(path, error)
            return nil
        }
    }

    /// The elements, each with its path; at most `limit` of them.
    package func elements(
        atMost limit: Int, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [(path: ConfigurationPath, value: ConfigurationValue)] {
        guard case .array(let values) = self else {
            refuseKind(at: path, wanted: "an array", &findings)
            return []
        }
        guard values.count <= limit else {
            findings.refuse(
                path, "The array has \(values.count) elements.", fix: "Keep it to \(limit) elements at most.")
            return []
        }
        return values.enumerated().map { (path[$0.offset], $0.element) }
    }

    package func refuseKind(at path: ConfigurationPath, wanted: String, _ findings: inout ConfigurationFindings) {
        findings.refuse(path, "This is \(kind), where \(wanted) is expected.", fix: "Write \(wanted).")
    }
}

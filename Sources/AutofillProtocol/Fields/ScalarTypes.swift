// SPDX-License-Identifier: Apache-2.0

/// An integer within bounds.
package struct IntegerType: ScalarType {
    let range: ClosedRange<Int>

    package var schema: ValueSchema { .integer(range) }
    package var sample: Int { range.lowerBound }

    package func read(_ value: JSONValue) throws(JSONError) -> Int {
        Int(try value.integer(in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    package func write(_ value: Int, to writer: inout JSONWriter) { writer.integer(value) }
}

package struct BooleanType: ScalarType {
    package var schema: ValueSchema { .boolean }
    package var sample: Bool { false }

    package func read(_ value: JSONValue) throws(JSONError) -> Bool { try value.bool() }
    package func write(_ value: Bool, to writer: inout JSONWriter) { writer.bool(value) }
}

/// One of the raw values of an enumeration, and nothing else.
package struct ChoiceType<Value: RawRepresentable<String> & CaseIterable>: ScalarType {
    /// Another text for what an error expects.
    var text: String?

    package var schema: ValueSchema { .choice(Value.allCases.map(\.rawValue), text: text) }
    package var sample: Value { Value.allCases[Value.allCases.startIndex] }

    package func read(_ value: JSONValue) throws(JSONError) -> Value { try value.choice() }
    package func write(_ value: Value, to writer: inout JSONWriter) { writer.string(value.rawValue) }
}

package struct RequestIDType: ScalarType {
    package var schema: ValueSchema { .requestID }
    package var sample: RequestID { .number(1) }

    package func read(_ value: JSONValue) throws(JSONError) -> RequestID {
        guard let id = RequestID(value) else { throw value.error(.notAllowed) }
        return id
    }

    package func write(_ value: RequestID, to writer: inout JSONWriter) { value.write(to: &writer) }
}

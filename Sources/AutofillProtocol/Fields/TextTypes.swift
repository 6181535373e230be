// SPDX-License-Identifier: Apache-2.0

/// Text with limits in bytes. With `words` the schema lists the present values; a reader accepts others, too, which a later
/// version may have.
package struct TextType: ScalarType {
    let bytes: ClosedRange<Int>
    var words: [String]?

    package var schema: ValueSchema { words.map { .word($0, bytes: bytes) } ?? .string(bytes: bytes) }
    package var sample: String { "" }

    package func read(_ value: JSONValue) throws(JSONError) -> String {
        let text = try value.string(maximumBytes: bytes.upperBound)
        guard text.utf8.count >= bytes.lowerBound else { throw value.error(.notAllowed) }
        return text
    }

    package func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
}

/// One of several constants, and nothing else.
package struct ConstantType: ScalarType {
    let words: [String]

    package var schema: ValueSchema { .choice(words) }
    package var sample: String { words.first ?? "" }

    package func read(_ value: JSONValue) throws(JSONError) -> String {
        let text = try value.string(maximumBytes: 64)
        guard words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { throw value.error(.notAllowed) }
        return text
    }

    package func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
}

/// The absolute path of a file.
package struct PathType: ScalarType {
    private static var bytes: ClosedRange<Int> { 2...Limits.pathBytes }

    package var schema: ValueSchema { .path(bytes: Self.bytes) }
    package var sample: String { "/x" }

    package func read(_ value: JSONValue) throws(JSONError) -> String {
        let path = try TextType(bytes: Self.bytes).read(value)
        guard path.hasPrefix("/"), !path.hasSuffix("/") else { throw value.error(.notAllowed) }
        return path
    }

    package func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
}

/// An array of strings with a maximum count. With `words` the schema lists the present values.
package struct TextsType: WireType {
    var words: [String]?
    var limit: Int?
    var bytes = 0...Limits.lineBytes

    package var schema: ValueSchema {
        .array(of: words.map { .word($0, bytes: bytes) } ?? .string(bytes: bytes), limit: limit)
    }
    package var sample: [String] { [] }

    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> [String] {
        guard let values = try? value.elements() else { throw members.invalid(name, schema.expected) }
        let type = TextType(bytes: bytes)
        var texts: [String] = []
        for value in values {
            guard texts.count < limit ?? .max else { throw members.invalid(name, schema.expected) }
            do throws(JSONError) {
                texts.append(try type.read(value))
            } catch {
                throw members.invalid(name, at: texts.count, type.schema.expected)
            }
        }
        return texts
    }

    package func write(_ values: [String], to writer: inout JSONWriter) {
        writer.array { writer in
            for value in values { writer.string(value) }
        }
    }
}

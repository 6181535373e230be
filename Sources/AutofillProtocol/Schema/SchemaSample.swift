// SPDX-License-Identifier: Apache-2.0

/// A JSON text that grows until a message reads it whole.
indirect enum SchemaSample {
    case object([(name: String, value: SchemaSample)])
    case array([SchemaSample])
    /// JSON as it stands.
    case scalar(String)

    var text: String {
        switch self {
        case .object(let members): "{" + members.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .scalar(let text): text
        }
    }

    /// Puts a value at a path like `fields[0].id`; what is on the way to it is there.
    mutating func set(_ path: Substring, to value: SchemaSample) {
        let end = path.firstIndex { $0 == "." || $0 == "[" } ?? path.endIndex
        let name = String(path[..<end])
        guard case .object(var members) = self else { return }
        defer { self = .object(members) }
        let index = members.firstIndex { $0.name == name }
        guard end < path.endIndex else {
            if let index { members[index].value = value } else { members.append((name, value)) }
            return
        }
        guard let index else { return }
        if path[end] == "." {
            members[index].value.set(path[path.index(after: end)...], to: value)
        } else if case .array(var elements) = members[index].value, !elements.isEmpty,
            let dot = path[end...].firstIndex(of: ".")
        {
            elements[0].set(path[path.index(after: dot)...], to: value)
            members[index].value = .array(elements)
        }
    }

    /// Something that is as expected, in the words of `parameter-invalid`.
    static func fitting(_ expected: String) -> SchemaSample {
        switch SchemaType(expected) {
        case .string(let bytes): .scalar("\"" + String(repeating: "x", count: max(1, bytes?.lowerBound ?? 1)) + "\"")
        case .integer(let range): .scalar("\(range.lowerBound)")
        case .boolean: .scalar("false")
        case .data(let bytes): .object([("base64", .scalar("\"\(zeros(bytes.lowerBound))\""))])
        case .choice(let words): .scalar("\"\(words.first ?? "")\"")
        case .requestID: .scalar("1")
        case .strings: .array([])
        case .objects: .array([.object([])])
        case .object: .object([])
        case .any: .scalar("false")
        }
    }

    /// So many zero bytes in base 64.
    private static func zeros(_ count: Int) -> String {
        let padding = (3 - count % 3) % 3
        return String(repeating: "A", count: (count + padding) / 3 * 4 - padding)
            + String(repeating: "=", count: padding)
    }
}

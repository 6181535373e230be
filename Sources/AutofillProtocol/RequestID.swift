// SPDX-License-Identifier: Apache-2.0

/// The id of a request and of its answer: an integer, or a string of 1 to 64 bytes.
package enum RequestID: Hashable, Sendable {
    case number(Int64)
    case text(String)

    /// By bytes: `==` of `String` treats canonically equivalent texts as equal.
    package static func == (left: RequestID, right: RequestID) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        }
    }

    init?(_ value: JSONValue) {
        switch value.kind {
        case .integer:
            guard let number = try? value.integer() else { return nil }
            self = .number(number)
        case .string:
            guard let text = try? value.string(maximumBytes: Limits.idBytes), !text.isEmpty else { return nil }
            self = .text(text)
        default: return nil
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .number(let number): writer.integer(number)
        case .text(let text): writer.string(text)
        }
    }
}

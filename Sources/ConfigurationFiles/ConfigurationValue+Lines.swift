// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import AutofillProtocol

extension ConfigurationValue {
    /// The value as a file has it: of an object a line each member, and what is below it on that line.
    package var lines: [UInt8] {
        guard case .object(let members) = self else { return Array((text + "\n").utf8) }
        if members.isEmpty { return Array("{}\n".utf8) }
        let written = members.map { "  \(ConfigurationValue.string($0.name).text): \($0.value.text)" }
        return Array(("{\n" + written.joined(separator: ",\n") + "\n}\n").utf8)
    }

    /// The value as JSON on one line.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        // Such a number is never accepted, so there is none to write.
        case .otherNumber: "0"
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.name)): \($0.value.text)" }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

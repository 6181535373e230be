// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import AutofillProtocol

extension ConfigurationValue {
    /// Reads a file's bytes with the protocol's own strict scanner: RFC 8259, UTF-8, no member twice.
    package init(json bytes: [UInt8], file: String) throws(ConfigurationFileProblem) {
        do {
            self = try bytes.withUnsafeBufferPointer { text throws(JSONError) -> ConfigurationValue in
                var scanner = JSONScanner()
                return try scanner.scan(UnsafeRawBufferPointer(text)) { value throws(JSONError) in
                    try ConfigurationValue(value)
                }
            }
        } catch {
            throw ConfigurationFileProblem(file: file, mistakes: [error.mistake(in: bytes)])
        }
    }

    private init(_ value: JSONValue) throws(JSONError) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(try value.bool())
        case .integer: self = .integer(Int(try value.integer()))
        case .number: self = .otherNumber
        case .string: self = .string(try value.string())
        case .array:
            var elements: [ConfigurationValue] = []
            for element in try value.elements() { elements.append(try ConfigurationValue(element)) }
            self = .array(elements)
        case .object:
            var members: [Member] = []
            for member in try value.members() {
                members.append(Member(name: try member.name.string(), value: try ConfigurationValue(member.value)))
            }
            self = .object(members)
        }
    }
}

extension JSONError {
    /// The problem as text about a file: the protocol's texts are about lines that are sent.
    fileprivate func mistake(in bytes: [UInt8]) -> ConfigurationMistake {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        let (reason, fix) = words
        return ConfigurationMistake(position: "line \(line), column \(column)", reason: reason, fix: fix)
    }

    private var words: (reason: String, fix: String) {
        switch problem {
        case .empty: ("The file is empty.", "Write a JSON object.")
        case .endedEarly: ("The file ends inside the JSON text.", "Close every bracket and string.")
        case .trailingBytes: ("There is text after the JSON object.", "Remove it.")
        case .byteOrderMark, .invalidUTF8: (problem.message + ".", "Save the file as UTF-8 without a byte order mark.")
        case .expectedValue, .expectedName, .expectedColon, .expectedCommaOrEnd:
            (problem.message + ".", "JSON has no comments, trailing commas or single quotes.")
        case .duplicateMember: (problem.message + ".", "Keep one of them.")
        case .tooDeep: (problem.message + ".", "Write a flatter document.")
        case .containsNUL: (problem.message + ".", "Remove it.")
        default: (problem.message + ".", problem.fix)
        }
    }
}

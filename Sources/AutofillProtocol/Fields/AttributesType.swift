// SPDX-License-Identifier: Apache-2.0

/// The attributes of a keychain item: names and texts. Names with the same NFC form are one name.
package struct AttributesType: WireType {
    package var schema: ValueSchema { .map(of: .string(bytes: 0...Limits.itemNameBytes), names: nil) }
    package var sample: [String: String] { [:] }

    private static let expected =
        "an object of at most \(Limits.itemAttributes) strings, \(Limits.itemAttributesBytes) bytes with their names, each of \(Limits.itemNameBytes) at most"

    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> [String: String] {
        do throws(JSONError) {
            var attributes: [String: String] = [:]
            var bytes = 0
            for member in try value.members() {
                let name = try member.name.string(maximumBytes: Limits.itemNameBytes)
                let text = try member.value.string(maximumBytes: Limits.itemNameBytes)
                bytes += name.utf8.count + text.utf8.count
                guard !name.isEmpty, attributes.count < Limits.itemAttributes, bytes <= Limits.itemAttributesBytes,
                    attributes.updateValue(text, forKey: name) == nil
                else { throw member.value.error(.notAllowed) }
            }
            return attributes
        } catch { throw members.invalid(name, Self.expected) }
    }

    package func write(_ attributes: [String: String], to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, text) in attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                writer.key(string: name)
                writer.string(text)
            }
        }
    }
}

extension WireType where Self == AttributesType {
    package static var attributes: Self { AttributesType() }
}

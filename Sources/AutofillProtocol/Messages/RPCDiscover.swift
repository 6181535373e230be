// SPDX-License-Identifier: Apache-2.0

package struct RPCDiscover: MethodCall {
    package static let declaration = MethodDeclaration(
        .rpcDiscover, "The protocol as an OpenRPC document, the same that `autofilld --print-schema` prints.", .open,
        repeatable: true)

    package init() {}

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self { Self() }

    /// The document. Who reads it takes it as it stands on the wire.
    package struct Answer: Message {
        package init() {}

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            field.told("openrpc", DocumentPart(0, .string(bytes: 1...16)), "The version of OpenRPC.")
            field.told("info", DocumentPart(1, .anyObject), "What it describes.")
            field.told("methods", DocumentPart(2, .array(of: .anyObject, limit: nil)), "Every method.")
            field.told(
                "x-notifications", DocumentPart(3, .array(of: .anyObject, limit: nil)), "What the daemon sends unasked."
            )
            field.told("components", DocumentPart(4, .anyObject), "The objects and errors that methods name.")
            return Self()
        }
    }
}

/// A member of the document, by its place.
struct DocumentPart: WireType {
    private let place: Int
    let schema: ValueSchema

    init(_ place: Int, _ schema: ValueSchema) { (self.place, self.schema) = (place, schema) }

    var sample: Void { () }

    func read(_: JSONValue, _: StaticString, of _: inout MemberReader) {}

    func write(_: Void, to writer: inout JSONWriter) { writer.writtenValue(OpenRPC.parts[place].json) }
}

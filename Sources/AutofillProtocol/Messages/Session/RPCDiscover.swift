// SPDX-License-Identifier: Apache-2.0

package struct RPCDiscover: MethodCall {
    package static let declaration = MethodDeclaration(
        .rpcDiscover, "Returns the protocol as an OpenRPC document, as printed by `autofilld --print-schema`.", .open,
        repeatable: true)

    package init() {}

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self { Self() }

    /// The document. It is written, and never read into a value.
    package struct Answer: Message {
        package init() {}

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            field.writeOnly("openrpc", DocumentSection(0, .string(bytes: 1...16)), "The version of OpenRPC.")
            field.writeOnly("info", DocumentSection(1, .anyObject), "What it describes.")
            field.writeOnly("methods", DocumentSection(2, .array(of: .anyObject, limit: nil)), "Every method.")
            field.writeOnly(
                "x-notifications", DocumentSection(3, .array(of: .anyObject, limit: nil)),
                "The notifications that the daemon sends."
            )
            field.writeOnly(
                "components", DocumentSection(4, .anyObject), "The objects and errors that methods refer to.")
            return Self()
        }
    }
}

/// A member of the document, by its index.
struct DocumentSection: WireType {
    private let index: Int
    let schema: ValueSchema

    init(_ index: Int, _ schema: ValueSchema) { (self.index, self.schema) = (index, schema) }

    var sample: Void { () }

    func read(_: JSONValue, _: StaticString, of _: inout MemberReader) {}

    func write(_: Void, to writer: inout JSONWriter) { writer.writtenValue(OpenRPC.sections[index].json) }
}

// SPDX-License-Identifier: Apache-2.0

/// The protocol as an OpenRPC document (1.3, with JSON Schema 2020-12): for tools, and for generated clients. protocol.md
/// documents the meaning.
///
/// Lengths in bytes are in `x-minBytes` and `x-maxBytes`, and those of decoded base64 in `x-minDecodedBytes` and
/// `x-maxDecodedBytes`; `maxLength`, in characters, is an upper bound for them.
package enum OpenRPC {
    /// One method.
    package struct Description {
        package let declaration: MethodDeclaration
        package let parameters: ObjectSchema
        package let result: ObjectSchema

        package var method: Method { declaration.method }

        init<Call: MethodCall>(_: Call.Type) {
            declaration = Call.declaration
            let own = Call.schema()
            parameters = ObjectSchema(
                name: own.name, members: own.members + [Call.contextSchema].compactMap(\.self), rules: own.rules,
                tag: own.tag)
            result = Call.Answer.schema()
        }
    }

    package static var methods: [Description] { Method.allCases.map { describe($0.call) } }

    private static func describe<Call: MethodCall>(_ call: Call.Type) -> Description { Description(call) }

    /// The parameters of the notification `event`, for each kind.
    package static var events: [ObjectSchema] {
        EventNotice.Kind.allCases.map { kind in
            let schema = EventNotice.schema(of: kind.rawValue)
            return ObjectSchema(name: "event.\(kind.rawValue)", members: schema.members, rules: schema.rules)
        }
    }

    /// Its members: each name and its value in JSON.
    static let sections: [(name: String, json: [UInt8])] = {
        func section(_ name: String, _ write: (inout JSONWriter) -> Void) -> (String, [UInt8]) {
            var writer = JSONWriter()
            write(&writer)
            return (name, writer.withUnsafeBytes { Array($0) })
        }
        let methods = Self.methods
        return [
            section("openrpc") { $0.string("1.3.2" as StaticString) },
            section("info") { writer in writer.object(writeInfo) },
            section("methods") { writer in
                writer.array { writer in
                    for method in methods { write(method, to: &writer) }
                }
            },
            section("x-notifications") { writer in
                writer.array { writer in
                    writer.object { writer in
                        writer.member("name", "event")
                        writer.key("params")
                        writer.schema(.any(events.map { .object($0) }, expected: ""), isNullable: false)
                    }
                }
            },
            section("components") { writer in writer.object { writeComponents(methods, to: &$0) } },
        ]
    }()

    /// The document, one line of JSON.
    package static var document: String {
        var writer = JSONWriter()
        writer.object { writer in
            for section in sections {
                writer.key(string: section.name)
                writer.writtenValue(section.json)
            }
        }
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func writeInfo(to writer: inout JSONWriter) {
        writer.member("title", "autofilld")
        writer.member("version", ProductVersion.text)
        writer.member(
            "description",
            "JSON-RPC 2.0 over a Unix socket, one document a line; see protocol.md. x-minBytes and x-maxBytes are lengths "
                + "in bytes of UTF-8, x-minDecodedBytes and x-maxDecodedBytes of decoded base64; a member of a parameter "
                + "that is null counts as absent. Methods whose names begin with admin. are for the user's own command."
        )
    }

    private static func write(_ method: Description, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.method.rawValue)
            writer.member("summary", "\(method.declaration.summary)")
            writer.member("paramStructure", "by-name")
            writer.list("params") { writer in
                for member in method.parameters.members {
                    writer.object { writer in
                        writer.member("name", member.name)
                        writer.member("summary", member.sentence)
                        writer.member("required", member.isRequired)
                        writer.key("schema")
                        writer.schema(member.type, isNullable: !member.isRequired)
                    }
                }
            }
            if !method.parameters.rules.isEmpty {
                writer.list("x-rules") { writer in
                    for rule in method.parameters.rules { writer.rule(rule) }
                }
            }
            writer.nested("result") { writer in
                writer.member("name", "result")
                writer.key("schema")
                writer.objectSchema(
                    ObjectSchema(name: nil, members: method.result.members + [warnings], rules: method.result.rules))
            }
            writer.list("errors") { writer in
                for error in OpenRPCError.allCases where error.concernsMethods {
                    writer.object { $0.member("$ref", "#/components/errors/\(error.rawValue)") }
                }
            }
            writer.nested("x-access") { writer in write(method.declaration, to: &writer) }
        }
    }

    /// The member that every answer may have in addition to its own.
    private static var warnings: MemberSchema {
        MemberSchema("warnings", TextsType().schema, .optional, "Parameters that the daemon does not know.")
    }

    private static func write(_ declaration: MethodDeclaration, to writer: inout JSONWriter) {
        writer.member("class", declaration.accessClass.rawValue)
        writer.member("registration", declaration.needsRegistration)
        writer.member("association", declaration.needsAssociation)
        writer.member("grant", declaration.needsGrant)
        writer.member("vault", declaration.vault)
        writer.member("proof", declaration.proof)
        writer.member("outsideSandboxOnly", declaration.isOutsideSandboxOnly)
        writer.member("repeatable", declaration.isRepeatable)
    }

    private static func writeComponents(_ methods: [Description], to writer: inout JSONWriter) {
        writer.nested("errors") { writer in
            for error in OpenRPCError.allCases {
                writer.key(string: error.rawValue)
                error.write(to: &writer)
            }
        }
        writer.nested("schemas") { writer in
            for component in components(of: methods).sorted(by: { $0.key < $1.key }) {
                writer.key(string: component.key)
                writer.objectSchema(component.value)
            }
        }
    }

    /// Every object that has a name, by that name.
    package static func components(of methods: [Description] = methods) -> [String: ObjectSchema] {
        var found: [String: ObjectSchema] = [:]
        func collect(_ members: [MemberSchema]) { for member in members { collect(member.type) } }
        func collect(_ type: ValueSchema) {
            switch type {
            case .object(let object):
                if let name = object.name, found.updateValue(object, forKey: name) == nil { collect(object.members) }
            case .array(let element, _): collect(element)
            case .map(let element, _): collect(element)
            case .any(let types, _): for type in types { collect(type) }
            default: break
            }
        }
        for method in methods {
            collect(method.parameters.members)
            collect(method.result.members)
        }
        for event in events { collect(.object(event)) }
        for data in OpenRPCError.data { collect(.object(data)) }
        return found
    }
}

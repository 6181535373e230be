// SPDX-License-Identifier: Apache-2.0

/// JSON Schema (2020-12) of the types.
extension JSONWriter {
    mutating func schema(_ type: ValueSchema, isNullable: Bool, sentence: String? = nil) {
        object { writer in
            if let sentence { writer.member("description", sentence) }
            switch type {
            case .object(let object) where object.name != nil && !isNullable: writer.reference(object)
            case .object, .any, .requestID:
                writer.list("anyOf") { writer in
                    for type in type.alternatives { writer.schema(type, isNullable: false) }
                    if isNullable { writer.object { $0.member("type", "null") } }
                }
            default: writer.members(of: type, isNullable)
            }
        }
    }

    /// An object at its position, with its members and rules.
    mutating func objectSchema(_ object: ObjectSchema) {
        self.object { writer in writer.members(of: object) }
    }

    mutating func rule(_ rule: MemberRule) {
        object { writer in
            switch rule.count {
            case .one: writer.member("exactlyOne", rule.members)
            case .oneOrMore: writer.member("atLeastOne", rule.members)
            case .atMostOne: writer.member("atMostOne", rule.members)
            }
        }
    }

    mutating func list(_ name: StaticString, _ body: (inout JSONWriter) -> Void) { member(name, array: body) }

    mutating func nested(_ name: StaticString, _ body: (inout JSONWriter) -> Void) { member(name, object: body) }

    private mutating func reference(_ object: ObjectSchema) {
        member("$ref", "#/components/schemas/\(object.name ?? "")")
    }

    private mutating func type(_ name: String, _ isNullable: Bool) {
        if isNullable { member("type", [name, "null"]) } else { member("type", name) }
    }

    private mutating func bytes(_ bytes: ClosedRange<Int>) {
        if bytes.lowerBound > 0 { member("x-minBytes", bytes.lowerBound) }
        if bytes.upperBound < Int.max { member("x-maxBytes", bytes.upperBound) }
    }

    private mutating func members(of type: ValueSchema, _ isNullable: Bool) {
        switch type {
        case .string(let bytes):
            self.type("string", isNullable)
            if bytes.lowerBound > 0 { member("minLength", 1) }
            // A character has one byte or more.
            if bytes.upperBound < Int.max { member("maxLength", bytes.upperBound) }
            self.bytes(bytes)
        case .path(let bytes):
            self.type("string", isNullable)
            member("pattern", "^/.*[^/]$")
            member("maxLength", bytes.upperBound)
            self.bytes(bytes)
        case .word(let words, let bytes):
            // An open set: a later version may have others.
            self.type("string", isNullable)
            if bytes.upperBound < Int.max { member("maxLength", bytes.upperBound) }
            self.bytes(bytes)
            member("x-values", words)
        case .choice(let words, _):
            list("enum") { writer in
                for word in words { writer.string(word) }
                if isNullable { writer.null() }
            }
        case .constant(let word): member("const", word)
        case .integer(let range):
            self.type("integer", isNullable)
            member("minimum", range.lowerBound)
            member("maximum", Swift.min(range.upperBound, 1 << 53 - 1))
        case .boolean: self.type("boolean", isNullable)
        case .data(let bytes):
            self.type("object", isNullable)
            member("required", ["base64"])
            // Unknown members are ignored, as everywhere.
            member("x-open", true)
            nested("properties") { writer in
                writer.nested("base64") { writer in
                    writer.member("type", "string")
                    writer.member("contentEncoding", "base64")
                    writer.member("maxLength", Base64.encodedCount(bytes.upperBound))
                    writer.member("x-minDecodedBytes", bytes.lowerBound)
                    writer.member("x-maxDecodedBytes", bytes.upperBound)
                }
            }
        case .array(let element, let limit):
            self.type("array", isNullable)
            if let limit { member("maxItems", limit) }
            key("items")
            schema(element, isNullable: false)
        case .map(let element, let names?):
            self.type("object", isNullable)
            nested("properties") { writer in
                for name in names {
                    writer.key(string: name)
                    writer.schema(element, isNullable: false)
                }
            }
        case .map(let element, nil):
            self.type("object", isNullable)
            key("additionalProperties")
            schema(element, isNullable: false)
        case .object(let object): members(of: object)
        case .anyObject: self.type("object", isNullable)
        case .any, .requestID: break
        }
    }

    private mutating func members(of object: ObjectSchema) {
        member("type", "object")
        nested("properties") { writer in
            for member in object.members {
                writer.key(string: member.name)
                writer.schema(member.type, isNullable: member.presence != .needed, sentence: member.sentence)
            }
        }
        let required = object.members.filter { $0.presence != .optional }.map(\.name)
        if !required.isEmpty { member("required", required) }
        if !object.rules.isEmpty {
            // Each keyword of JSON Schema once: what must be present, then what must be present alone. Parameters alone have others.
            for rule in object.rules where rule.count != .atMostOne {
                list(rule.count == .one ? "oneOf" : "anyOf") { writer in
                    for member in rule.members { writer.object { $0.member("required", [member]) } }
                }
            }
        }
    }
}

extension ValueSchema {
    /// The types that a value can have, one of them.
    fileprivate var alternatives: [ValueSchema] {
        switch self {
        case .any(let types, _): types
        case .requestID: [.string(bytes: 1...Limits.idBytes), .integer(-0x1F_FFFF_FFFF_FFFF...0x1F_FFFF_FFFF_FFFF)]
        default: [self]
        }
    }
}

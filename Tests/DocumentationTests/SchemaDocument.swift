// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// The published schema, and what of it a JSON value breaks: as much of JSON Schema as it uses. A member that the schema
/// does not know is a problem too. In the examples `"<name>"` stands for any value, and `"…"` for further ones.
struct SchemaDocument {
    let methods: [[String: Any]]
    let schemas: [String: [String: Any]]
    let errors: [String: [String: Any]]
    /// Where its references lead.
    let references: Set<String>

    init() throws {
        let object = try JSONSerialization.jsonObject(with: Data(OpenRPC.document.utf8)) as? [String: Any]
        methods = object?["methods"] as? [[String: Any]] ?? []
        let components = object?["components"] as? [String: Any]
        schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
        errors = components?["errors"] as? [String: [String: Any]] ?? [:]
        references = Self.references(in: object ?? [:])
    }

    private static func references(in value: Any) -> Set<String> {
        if let object = value as? [String: Any] {
            let own = (object["$ref"] as? String).map { [$0] } ?? []
            return object.values.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
        }
        return (value as? [Any] ?? []).reduce(into: []) { $0.formUnion(references(in: $1)) }
    }

    static func object(_ line: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }

    func method(_ name: String) -> [String: Any]? { methods.first { $0["name"] as? String == name } }

    func problems(ofParameters value: Any, of method: String) -> [String] {
        let parameters = self.method(method)?["params"] as? [[String: Any]] ?? []
        var properties: [String: Any] = [:]
        for parameter in parameters { properties[parameter["name"] as? String ?? ""] = parameter["schema"] }
        let required = parameters.filter { $0["required"] as? Bool == true }.compactMap { $0["name"] as? String }
        let schema: [String: Any] = ["type": "object", "properties": properties, "required": required]
        return problems(of: value, schema, at: "params")
    }

    func problems(ofResult value: Any, of method: String) -> [String] {
        let result = self.method(method)?["result"] as? [String: Any]
        return problems(of: value, result?["schema"] as? [String: Any] ?? [:], at: "result")
    }

    func problems(of value: Any, named name: String) -> [String] {
        guard let schema = schemas[name] else { return ["no schema \(name)"] }
        return problems(of: value, schema, at: name)
    }

    private func problems(of value: Any, _ schema: [String: Any], at path: String) -> [String] {
        if let text = value as? String, text.hasPrefix("<") && text.hasSuffix(">") || text == "…" { return [] }
        if let reference = schema["$ref"] as? String {
            return problems(of: value, schemas[reference.components(separatedBy: "/").last ?? ""] ?? [:], at: path)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let each = choices.map { problems(of: value, $0, at: path) }
            return each.contains(where: \.isEmpty) ? [] : each.min { $0.count < $1.count } ?? ["\(path): nothing fits"]
        }
        if let words = schema["enum"] as? [Any] {
            let isOne =
                value is NSNull ? words.contains { $0 is NSNull } : words.contains { $0 as? String == value as? String }
            return isOne ? [] : ["\(path): \(value) is not in the enum"]
        }
        if let word = schema["const"] as? String { return value as? String == word ? [] : ["\(path) is not \(word)"] }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? ""]
        guard let type = types.first(where: { Self.isOf($0, value) }) else { return ["\(path) is no \(types)"] }
        switch type {
        case "object": return problems(ofObject: value as? [String: Any] ?? [:], schema, at: path)
        case "array":
            let items = schema["items"] as? [String: Any] ?? [:]
            return (value as? [Any] ?? []).enumerated().flatMap {
                problems(of: $0.element, items, at: "\(path)[\($0.offset)]")
            }
        case "string":
            let bytes = (value as? String ?? "").utf8.count
            let least = schema["x-minBytes"] as? Int ?? 0
            let most = schema["x-maxBytes"] as? Int ?? .max
            return bytes >= least && bytes <= most ? [] : ["\(path) has \(bytes) bytes"]
        case "integer":
            let number = value as? Int ?? 0
            let isWithin = number >= schema["minimum"] as? Int ?? .min && number <= schema["maximum"] as? Int ?? .max
            return isWithin ? [] : ["\(path) is out of range"]
        default: return []
        }
    }

    private func problems(ofObject object: [String: Any], _ schema: [String: Any], at path: String) -> [String] {
        var members = object
        let isOpen = members.removeValue(forKey: "…") != nil
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let others = schema["additionalProperties"] as? [String: Any]
        var problems: [String] = []
        for (name, value) in members {
            if let property = properties[name] ?? others {
                problems += self.problems(of: value, property, at: "\(path).\(name)")
            } else {
                problems.append("\(path).\(name) is unknown")
            }
        }
        for name in schema["required"] as? [String] ?? [] where members[name] == nil && !isOpen {
            problems.append("\(path).\(name) is missing")
        }
        return problems
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        let isBoolean = (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
        return switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": value is Bool && isBoolean
        case "integer": value is Int && !isBoolean
        case "null": value is NSNull
        default: false
        }
    }
}

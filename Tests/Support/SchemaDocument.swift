// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// The published schema, and what of it a JSON value breaks: JSON Schema (2020-12) as far as it is used there, with the document's
/// own `x-` members. A member that the schema does not define is a problem too. In the examples of protocol.md `"<name>"` is any
/// value, and `"…"` are further ones.
package struct SchemaDocument {
    package let methods: [[String: Any]]
    package let schemas: [String: [String: Any]]
    package let errors: [String: [String: Any]]
    /// Where its references lead.
    package let references: Set<String>
    private let events: [String: Any]
    private let isOfExamples: Bool
    private let byName: [String: [String: Any]]

    package init(ofExamples isOfExamples: Bool = false) throws {
        let object = try JSONSerialization.jsonObject(with: Data(OpenRPC.document.utf8)) as? [String: Any]
        methods = object?["methods"] as? [[String: Any]] ?? []
        byName = Dictionary(uniqueKeysWithValues: methods.map { ($0["name"] as? String ?? "", $0) })
        let components = object?["components"] as? [String: Any]
        schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
        errors = components?["errors"] as? [String: [String: Any]] ?? [:]
        events = (object?["x-notifications"] as? [[String: Any]])?.first?["params"] as? [String: Any] ?? [:]
        references = Self.references(in: object ?? [:])
        self.isOfExamples = isOfExamples
    }

    private static func references(in value: Any) -> Set<String> {
        if let object = value as? [String: Any] {
            let own = (object["$ref"] as? String).map { [$0] } ?? []
            return object.values.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
        }
        return (value as? [Any] ?? []).reduce(into: []) { $0.formUnion(references(in: $1)) }
    }

    package static func object(_ line: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }

    package func method(_ name: String) -> [String: Any]? { byName[name] }

    /// What is wrong with a line that the daemon sent: an event, an error, or the result of a method.
    package func problems(ofLine line: String, answering method: String) -> [String] {
        Self.object(line).map { problems(of: $0, answering: method) } ?? ["no object"]
    }

    /// The same of a line that was read.
    func problems(of line: [String: Any], answering method: String) -> [String] {
        if line["method"] as? String == "event" { return problems(of: line["params"] ?? [:], events, at: "event") }
        if let error = line["error"] as? [String: Any] {
            let codes = errors.values.compactMap { $0["code"] as? Int }
            guard let code = error["code"] as? Int, codes.contains(code), error["message"] is String,
                Set(error.keys) == ["code", "message", "data"]
            else { return ["an error of another shape"] }
            return problems(of: error["data"] ?? [:], named: "RefusalReport")
        }
        return problems(ofResult: line["result"] ?? NSNull(), of: method)
    }

    package func problems(ofParameters value: Any, of method: String) -> [String] {
        let parameters = self.method(method)?["params"] as? [[String: Any]] ?? []
        var properties: [String: Any] = [:]
        for parameter in parameters { properties[parameter["name"] as? String ?? ""] = parameter["schema"] }
        let required = parameters.filter { $0["required"] as? Bool == true }.compactMap { $0["name"] as? String }
        let schema: [String: Any] = ["type": "object", "properties": properties, "required": required]
        return problems(of: value, schema, at: "params") + broken(self.method(method)?["x-rules"], by: value)
    }

    /// The rules of what must be there together, of parameters.
    private func broken(_ rules: Any?, by value: Any) -> [String] {
        let members = (value as? [String: Any] ?? [:]).filter { !($0.value is NSNull) }
        if members["…"] != nil { return [] }
        return (rules as? [[String: [String]]] ?? []).flatMap { $0 }.compactMap { name, names in
            let count = names.count { members[$0] != nil }
            let isBroken = count == 0 && name != "atMostOne" || count > 1 && name != "atLeastOne"
            return isBroken ? "\(name) of \(names), not \(count)" : nil
        }
    }

    package func problems(ofResult value: Any, of method: String) -> [String] {
        let result = self.method(method)?["result"] as? [String: Any]
        return problems(of: value, result?["schema"] as? [String: Any] ?? [:], at: "result")
    }

    package func problems(of value: Any, named name: String) -> [String] {
        guard let schema = schemas[name] else { return ["no schema \(name)"] }
        return problems(of: value, schema, at: name)
    }

    private func problems(of value: Any, _ schema: [String: Any], at path: String) -> [String] {
        if isOfExamples, let text = value as? String, text.hasPrefix("<") && text.hasSuffix(">") || text == "…" {
            return []
        }
        if let reference = schema["$ref"] as? String {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            return schemas[name].map { problems(of: value, $0, at: path) } ?? ["\(path): \(reference) leads nowhere"]
        }
        var found: [String] = []
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let each = choices.map { problems(of: value, $0, at: path) }
            if !each.contains(where: \.isEmpty) { found += each.min { $0.count < $1.count } ?? ["\(path): no choice"] }
        }
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let fitting = choices.count { problems(of: value, $0, at: path).isEmpty }
            // An example that leaves members out may fit each of them.
            let isAbridged = isOfExamples && (value as? [String: Any])?["…"] != nil
            if isAbridged ? fitting == 0 : fitting != 1 { found.append("\(path) fits \(fitting) of the choices") }
        }
        for name in ["enum", "x-values"] {
            guard let words = schema[name] as? [Any], !(name == "x-values" && value is NSNull) else { continue }
            // What a later version may contain, as tests write it.
            let isLater = name == "x-values" && (value as? String)?.hasPrefix("later-") == true
            let isOne = isLater || words.contains { Self.isSame($0, value) }
            if !isOne { found.append("\(path): \(value) is not in the \(name)") }
        }
        if let word = schema["const"] as? String, value as? String != word { found.append("\(path) is not \(word)") }
        if let type = schema["type"] {
            let types = type as? [String] ?? [type as? String ?? ""]
            if !types.contains(where: { Self.isOf($0, value) }) { return found + ["\(path) is no \(types)"] }
        }
        if let text = value as? String {
            found += Self.problems(ofText: text, schema, at: path)
        } else if let object = value as? [String: Any] {
            found += problems(ofObject: object, schema, at: path)
        } else if let array = value as? [Any] {
            found += problems(ofArray: array, schema, at: path)
        } else if let number = value as? Int, !Self.isBoolean(value) {
            let isWithin = number >= schema["minimum"] as? Int ?? .min && number <= schema["maximum"] as? Int ?? .max
            if !isWithin { found.append("\(path) is out of range") }
        }
        return found
    }

    private func problems(ofArray array: [Any], _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        if array.count > schema["maxItems"] as? Int ?? .max { found.append("\(path) has \(array.count) elements") }
        guard let items = schema["items"] as? [String: Any] else { return found }
        for (place, element) in array.enumerated() { found += problems(of: element, items, at: "\(path)[\(place)]") }
        return found
    }

    private static func problems(ofText text: String, _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        let bytes = text.utf8.count
        if bytes < schema["x-minBytes"] as? Int ?? 0 || bytes > schema["x-maxBytes"] as? Int ?? .max {
            found.append("\(path) has \(bytes) bytes")
        }
        let scalars = text.unicodeScalars.count
        if scalars < schema["minLength"] as? Int ?? 0 || scalars > schema["maxLength"] as? Int ?? .max {
            found.append("\(path) has \(scalars) characters")
        }
        if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
            found.append("\(path) does not match \(pattern)")
        }
        return found
    }

    private func problems(ofObject object: [String: Any], _ schema: [String: Any], at path: String) -> [String] {
        var members = object
        let isOpen = isOfExamples && members.removeValue(forKey: "…") != nil
        var problems: [String] = []
        for name in schema["required"] as? [String] ?? [] where members[name] == nil && !isOpen {
            problems.append("\(path).\(name) is missing")
        }
        guard let properties = schema["properties"] as? [String: [String: Any]] else {
            guard let others = schema["additionalProperties"] as? [String: Any] else { return problems }
            return problems + members.flatMap { self.problems(of: $0.value, others, at: "\(path).\($0.key)") }
        }
        for (name, value) in members {
            if let property = properties[name] ?? schema["additionalProperties"] as? [String: Any] {
                problems += self.problems(of: value, property, at: "\(path).\(name)")
            } else if schema["x-open"] as? Bool != true {
                problems.append("\(path).\(name) is unknown")
            }
        }
        return problems
    }

    private static func isSame(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? String, let other = other as? String { return one == other }
        return (one as? NSObject) == (other as? NSObject)
    }

    /// To be asked of what is no object and no array: as a number they are made again, with all that is in them.
    private static func isBoolean(_ value: Any) -> Bool {
        value is Bool && (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": isBoolean(value)
        case "integer": value is Int && !isBoolean(value)
        case "null": value is NSNull
        default: false
        }
    }
}

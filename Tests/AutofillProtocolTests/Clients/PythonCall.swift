// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

/// A method of the wire as a function of the Python client.
struct PythonCall {
    /// Of the function.
    let name: String
    private let description: OpenRPC.Description
    var method: Method { description.method }
    private let parameters: [Parameter]
    /// Whether further members may be given by their names on the wire.
    private let hasMore: Bool
    private let answer: Answer

    private struct Parameter {
        let (name, type, sentence, value): (String, String, String, String)
        let (member, key): (String, String?)
        let (isRequired, isKeyword): (Bool, Bool)
    }

    private enum Answer {
        /// The type, and what reads it.
        case value(String, reader: String)
        /// The type of one, and the member that lists them.
        case pages(String, member: String, reader: String)
    }

    /// - Parameters:
    ///   - signature: the parameters in order; `*` before those that are given by name, `!` behind one that is required here,
    ///     `**` for any others. Empty: the required members, then all others by name. Where there is a context, it comes last.
    ///   - type: of the answer, in the module `values`, where it is not the declaration's.
    init(_ method: Method, _ name: String = "", _ signature: String = "", returns type: String? = nil) throws {
        description = try #require(OpenRPC.methods.first { $0.method == method })
        self.name = name.isEmpty ? method.rawValue.snakeCase : name
        var words = (signature.isEmpty ? Self.signature(description) : signature).split(separator: " ")
        if description.parameters.members.contains(where: { $0.name == "context" }) {
            let end = words.last == "**" ? words.endIndex - 1 : words.endIndex
            words.insert(contentsOf: words.contains("*") ? ["context"] : ["*", "context"], at: end)
        }
        hasMore = words.last == "**"
        let star = words.firstIndex(of: "*") ?? words.endIndex
        parameters = try words.indices.filter { !["*", "**"].contains(words[$0]) }.map { [description] index in
            try Self.parameter(words[index], isKeyword: index > star, description)
        }
        answer = Self.answer(description.result, type)
    }

    private static func signature(_ description: OpenRPC.Description) -> String {
        let members = description.parameters.members.filter {
            !["proof", "context", "limit", "cursor"].contains($0.name)
        }
        let named = members.flatMap { member in
            guard member.name == "place", case .object(let place) = member.type else { return [member] }
            return place.members
        }
        let names = [true, false].map { isRequired in
            named.filter { $0.isRequired == isRequired }.map { $0.name == "accessGroup" ? "group" : $0.name.snakeCase }
        }
        return (names[0] + (names[1].isEmpty ? [] : ["*"]) + names[1]).joined(separator: " ")
    }

    private static func parameter(
        _ word: Substring, isKeyword: Bool, _ description: OpenRPC.Description
    ) throws -> Parameter {
        let name = word.hasSuffix("!") ? String(word.dropLast()) : String(word)
        let members = description.parameters.members
        let wireNames = ["group": "accessGroup", "code": "codeID"]
        func found(_ members: [MemberSchema]) -> MemberSchema? {
            members.first { $0.name == wireNames[name] } ?? members.first { $0.name.snakeCase == name }
        }
        var (member, outer) = (found(members), MemberSchema?.none)
        if member == nil, let place = members.first(where: { $0.name == "place" }),
            case .object(let object) = place.type
        {
            (member, outer) = (found(object.members), place)
        }
        let schema = try #require(member, "\(description.method.rawValue): \(name)")
        let isRequired = word.hasSuffix("!") || schema.isRequired && outer?.isRequired != false
        let (type, value) = try type(schema, name)
        return Parameter(
            name: name, type: isRequired || type == "bool = True" ? type : "Optional[\(type)] = None",
            sentence: schema.sentence, value: value, member: (outer ?? schema).name,
            key: outer == nil ? nil : schema.name, isRequired: isRequired, isKeyword: isKeyword)
    }

    /// The type of a parameter, and how its value is written.
    private static func type(_ schema: MemberSchema, _ name: String) throws -> (type: String, value: String) {
        if schema.name == "interaction" { return ("bool = True", "_interaction(\(name))") }
        switch schema.type {
        case .object(let object) where ["ServiceIdentifier", "SavedService"].contains(object.name):
            return ("Service", "_service(\(name))")
        case .object(let object) where object.name == "FormDescription": return ("Form", "_form(\(name))")
        case .data: return ("bytes", "_data(\(name))")
        case .string, .word, .choice, .path: return ("str", name)
        case .integer: return ("int", name)
        case .boolean: return ("bool", name)
        case .array(of: .string, _), .array(of: .word, _): return ("Sequence[str]", name)
        case .array: return ("Sequence[Mapping[str, object]]", name)
        case .map(of: .string, _): return ("Mapping[str, str]", name)
        case .object, .map, .anyObject: return ("Mapping[str, object]", name)
        case .any, .requestID, .constant: return ("object", name)
        }
    }

    private static func answer(_ result: ObjectSchema, _ type: String?) -> Answer {
        if result.members.contains(where: { $0.name == "next" }), let list = result.members.first(where: \.isArray) {
            let reader = type.map { "values.\($0).read" } ?? "_answer"
            return .pages(type.map { "values.\($0)" } ?? "Answer", member: list.name, reader: reader)
        }
        if let type { return .value("values.\(type)", reader: "values.\(type).read") }
        if ["SavedAnswer", "KeychainSaved"].contains(result.name) { return answer(result, "Saved") }
        if let only = result.members.first, result.members.count == 1, case .boolean = only.type {
            return .value("bool", reader: "lambda answer: answer[\"\(only.name)\"]")
        }
        return .value("Answer", reader: "_answer")
    }
}

extension MemberSchema {
    fileprivate var isArray: Bool { if case .array = type { true } else { false } }
}

// MARK: - Source

extension PythonCall {
    /// The function that makes the request.
    var call: String {
        let (type, reader) =
            switch answer {
            case .value(let type, let reader): (type, reader)
            case .pages(let type, let member, let reader): ("Page[\(type)]", "_page(\"\(member)\", \(reader))")
            }
        var members: [String] = []
        for parameter in parameters where parameter.key == nil {
            members.append("\"\(parameter.member)\": \(parameter.value)")
        }
        let inner = parameters.compactMap { parameter in parameter.key.map { "\($0)=\(parameter.value)" } }
        if !inner.isEmpty { members.insert("\"place\": _object(\(inner.joined(separator: ", ")))", at: 0) }
        members += (isPaged ? ["\"cursor\": cursor"] : []) + (hasMore ? ["**more"] : [])
        let declared =
            parameters.map { "\($0.name): \($0.type)" } + (isPaged ? ["cursor: Optional[str] = None"] : [])
            + (hasMore ? ["**more: Any"] : [])
        return """
            def \(name)(\(Self.list(declared))) -> Call[\(type)]:
                return Call("\(description.method.rawValue)", {\(Self.list(members, "    "))}, \(reader))
            """
    }

    /// Items on lines of their own, between two brackets.
    private static func list(_ items: [String], _ indent: String = "") -> String {
        if items.isEmpty { return "" }
        // An item is never broken.
        let text = items.map { $0.replacing(" ", with: "\u{1}") + "," }.joined(separator: " ")
        return "\n" + text.wrapped(indent + "    ").replacing("\u{1}", with: " ") + "\n" + indent
    }

    private var isPaged: Bool { if case .pages = answer { true } else { false } }

    /// The method of the client.
    func method(isAsync: Bool) -> String {
        let (prefix, wait) = isAsync ? ("async ", "await ") : ("", "")
        var declared = ["self"] + parameters.filter { !$0.isKeyword }.map { "\($0.name): \($0.type)" }
        let named = parameters.filter(\.isKeyword)
        declared +=
            (named.isEmpty ? [] : ["*"]) + named.map { "\($0.name): \($0.type)" } + (hasMore ? ["**more: Any"] : [])
        let given = (parameters.map(\.name) + (hasMore ? ["**more"] : [])).joined(separator: ", ")
        let (type, body) =
            switch answer {
            case .value(let type, _): (type, "self.perform(calls.\(name)(\(given)))")
            case .pages(let type, _, _):
                (
                    "Tuple[\(type), ...]",
                    "self._pages(lambda cursor: calls.\(name)(\(given)\(given.isEmpty ? "" : ", ")cursor=cursor))"
                )
            }
        return """
            \(prefix)def \(name)(\(Self.list(declared))) -> \(type):
                \"\"\"\("\(description.declaration.summary)".wrapped("    ").dropFirst(4))
            \(documentation)
                \"\"\"
                return \(wait)\(body)
            """.replacing("\n\n    \"\"\"", with: "\"\"\"")
    }

    private var documentation: String {
        var lines = parameters.map { parameter in
            let sentence = parameter.sentence.replacing("null", with: "None").replacing("Null", with: "None")
            return ":param \(parameter.name): \(sentence)".wrapped("    ")
        }
        if hasMore { lines.append("    :param more: Other parameters, by their names in protocol.md.") }
        return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n")
    }
}

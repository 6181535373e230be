// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import AutofillPolicy
import AutofillProtocol
import Foundation
import Reasons
import Settings

extension ValueSchema {
    /// A description of the type: an object by its members.
    fileprivate var typeDescription: String {
        switch self {
        case .object(let object): "object: " + object.members.map(\.name).joined(separator: ", ")
        case .array(of: .object(let object), let limit):
            "array of objects" + (limit.map { ", \($0) at most" } ?? "") + ": "
                + object.members.map(\.name).joined(separator: ", ")
        case .word(let words, _) where words.count <= 8: "string: " + words.joined(separator: ", ")
        case .requestID: "the id of a request"
        default: expected
        }
    }
}

/// The sections of the manual pages that are generated from the code, in the language of man(7).
enum GeneratedManual {
    static func lines(_ section: String) throws -> [String] {
        switch section {
        case "settings": settings
        case "members": try members(of: schema(), below: "")
        case "methods":
            Method.allCases.filter { $0.audience != .administration }.map(\.rawValue)
                .flatMap { [".br", ".B \(Roff.escaped($0))"] }
        case "administration": administration
        case "limits": limits
        case "reasons": Reason.allCases.flatMap { tagged(".B \(Roff.escaped($0.rawValue))", Refusal($0).fix + ".") }
        default: []
        }
    }

    /// The methods that administer, from their declarations.
    private static var administration: [String] {
        OpenRPC.methods.filter { $0.method.audience == .administration }.flatMap { description in
            let row = description.declaration
            let needs = [
                row.vault.isEmpty ? nil : "vault \(row.vault)", row.proof.isEmpty ? nil : "proof \(row.proof)",
                row.needsRegistration ? "a registration" : nil, row.isOutsideSandboxOnly ? "outside any sandbox" : nil,
                row.isRepeatable ? nil : "not repeatable",
            ].compactMap(\.self)
            return [".SS \(Roff.escaped(description.method.rawValue))", Roff.escaped("\(row.summary)")]
                + (needs.isEmpty ? [] : [".PP", "Needs: \(Roff.escaped(needs.joined(separator: "; ")))."])
                + members("Parameters", description.parameters) + members("Result", description.result)
        }
    }

    private static func members(_ title: String, _ object: ObjectSchema) -> [String] {
        guard !object.members.isEmpty else { return [] }
        return [".PP", "\(title):"]
            + object.members.flatMap { member in
                let presence =
                    switch member.presence {
                    case .needed: ""
                    case .optional: ", optional"
                    }
                return tagged(member.name, member.type.typeDescription + presence, member.sentence)
            }
    }

    private static var limits: [String] {
        Limits.listed.flatMap { limit in
            let name = "\(limit.name)"
            return tagged(name, GeneratedTable.grouped(limit.value), GeneratedTable.meanings[name] ?? "?")
        }
    }

    private static var settings: [String] {
        Setting.allCases.flatMap { setting in
            tagged(
                setting.name, setting.type,
                "\(setting.summary) Values: \(setting.range). Default: \(GeneratedTable.json(setting.defaultValue)).")
        }
    }

    /// Those of the registration, from its schema, which another test compares with the code.
    private static func members(of schema: [String: Any], below parent: String) -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let required = schema["required"] as? [String] ?? []
        return properties.sorted { $0.key < $1.key }.flatMap { name, member in
            let type = member["type"] as? String ?? "string"
            let needed = required.contains(name) ? ", needed" : ""
            let limits = [("maxItems", "entries"), ("maxLength", "characters")].compactMap { key, unit in
                (member[key] as? Int).map { " At most \($0) \(unit)." }
            }
            let text = (member["description"] as? String ?? "") + limits.joined()
            return tagged(parent + name, type + needed, text)
                + members(of: member, below: parent + name + " > ")
        }
    }

    private static func schema() throws -> [String: Any] {
        let file = URL(filePath: ProtocolDocument.path).deletingLastPathComponent()
            .appending(path: "Sources/AssociatedDomains/registration.schema.json")
        return try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    /// An entry that begins with a name in bold and its type in parentheses.
    private static func tagged(_ name: String, _ type: String, _ text: String) -> [String] {
        tagged(".BR \(Roff.argument(name)) \(Roff.argument(" (\(type))"))", text)
    }

    private static func tagged(_ tag: String, _ text: String) -> [String] { [".TP", tag, Roff.escaped(text)] }
}

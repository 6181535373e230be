// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import AutofillPolicy
import AutofillProtocol
import Foundation
import Reasons
import Settings

/// The parts of the manual pages that are written from the code, in the language of man(7).
enum GeneratedManual {
    static func lines(_ part: String) throws -> [String] {
        switch part {
        case "settings": settings
        case "members": try members(of: schema(), below: "")
        case "methods": Method.allCases.map(\.rawValue).flatMap { [".br", ".B \(Roff.escaped($0))"] }
        case "reasons": Reason.allCases.flatMap { tagged(".B \(Roff.escaped($0.rawValue))", Refusal($0).fix + ".") }
        default: []
        }
    }

    private static var settings: [String] {
        Setting.allCases.flatMap { setting in
            tagged(
                #".BR \#(Roff.escaped(setting.name)) " (\#(Roff.escaped(setting.type)))""#,
                "\(setting.summary) Values: \(setting.range). Default: \(GeneratedTable.json(setting.defaultValue)).")
        }
    }

    /// The registration's, from the schema that is held equal to the code.
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
            return tagged(#".BR "\#(Roff.escaped(parent + name))" " (\#(type)\#(needed))""#, text)
                + members(of: member, below: parent + name + " > ")
        }
    }

    private static func schema() throws -> [String: Any] {
        let file = URL(filePath: ProtocolDocument.path).deletingLastPathComponent()
            .appending(path: "Sources/AssociatedDomains/registration.schema.json")
        return try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    private static func tagged(_ tag: String, _ text: String) -> [String] { [".TP", tag, Roff.escaped(text)] }
}

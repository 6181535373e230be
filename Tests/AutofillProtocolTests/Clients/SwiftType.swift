// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

/// An object of the wire, and the type that mirrors it in the Swift client.
struct SwiftType {
    /// With the type that it is nested in.
    let name: String
    private let wire: String
    private let summary: String
    private let conformances: String
    private let lines: [Substring]
    private let members: [MemberSchema]
    /// The type of each stored property of the object, by its name.
    private let types: [String: String]

    /// - Parameter text: the properties. A word is `name`, or `name=property` of the object, or `name=property/member` where
    ///   the member has another name on the wire, or `name:Date`; its documentation is the member's. A line `word // text`
    ///   has its own. A line `name: Type = value // text` is a property with any value.
    init<Object: Message>(
        _ name: String, _: Object.Type, _ summary: String, conformances: String = "Hashable, Sendable", _ text: String
    ) throws {
        let sample = try ObjectType<Object>.object().sample
        (self.name, self.summary, self.conformances) = (name, summary, conformances)
        wire = String(reflecting: Object.self).replacing("AutofillProtocol.", with: "")
        lines = text.split(separator: "\n")
        members = Object.schema().members
        types = Dictionary(
            Mirror(reflecting: sample).children.map { ($0.label ?? "", "\(type(of: $0.value))") }
        ) { first, _ in first }
    }

    /// One property of the type.
    private struct Property {
        let (name, type, value, text): (String, String, String, String)
    }

    private func properties() throws -> [Property] {
        try lines.flatMap { line in
            let parts = line.split(separator: " // ", maxSplits: 1).map(String.init)
            guard let equals = parts[0].firstRange(of: " = ") else {
                return try parts[0].split(separator: " ").map { try property($0, parts.count > 1 ? parts[1] : nil) }
            }
            let declared = parts[0][..<equals.lowerBound].split(separator: ": ", maxSplits: 1).map(String.init)
            let value = String(parts[0][equals.upperBound...])
            return [Property(name: declared[0], type: declared[1], value: value, text: parts[1])]
        }
    }

    private func property(_ word: Substring, _ text: String?) throws -> Property {
        let match = try #require(word.wholeMatch(of: #/(\w+)(:Date)?(?:=([\w.]+))?(?:/(\w+))?/#), "\(word)")
        let name = String(match.1)
        let source = match.3.map(String.init) ?? name
        let property = source.split(separator: ".").last.map(String.init) ?? source
        let wireName = match.4.map(String.init) ?? Self.wireName(property)
        let member = try #require(
            members.first { $0.name == property } ?? members.first { $0.name == wireName }, "\(self.name).\(property)")
        let found = types[property] ?? "Optional<String>"
        let isOptional = found.hasPrefix("Optional<")
        let conversion = Conversion(member.type, found, match.2 != nil, in: self.name)
        return Property(
            name: name, type: conversion.type + (isOptional ? "?" : ""),
            value: conversion.value(of: "report.\(source)", isOptional: isOptional),
            text: text ?? Self.documentation(member))
    }

    /// `hidden` of `isHidden`, `more` of `hasMore`.
    private static func wireName(_ property: String) -> String {
        property.replacing(#/^(?:is|has)([A-Z])/#) { $0.1.lowercased() }
    }

    private static func documentation(_ member: MemberSchema) -> String {
        ["null": "nil", "Null": "Nil", "; absent if": "; nil if"].reduce(member.sentence) { text, words in
            text.replacing(words.key, with: words.value)
        }
    }

    /// Whether its initialiser throws.
    func throwsErrors() throws -> Bool { try properties().contains { $0.value.hasPrefix("try ") } }

    func usesDate() throws -> Bool { try properties().contains { $0.type.hasPrefix("Date") } }

    func source() throws -> String {
        let properties = try properties()
        let base = name.split(separator: ".").last.map(String.init) ?? name
        let wire = wire == base ? "AutofillProtocol.\(wire)" : wire
        let isThrowing = properties.contains { $0.value.hasPrefix("try ") }
        return """
            \(summary.wrapped("/// "))
            public struct \(base): \(conformances) {
            \(properties.map { "\($0.text.wrapped("    /// "))\n    public let \($0.name): \($0.type)" }.joined(separator: "\n"))

                init(_ report: \(wire)) \(isThrowing ? "throws(AutofillError) " : ""){
            \(properties.map { "        \($0.name) = \($0.value)" }.joined(separator: "\n"))
                }
            }
            """
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// Holds what comes over one connection against the schema that the service publishes: answers, however late, and events.
struct SchemaCheck {
    /// A line that breaks the schema.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    private static nonisolated(unsafe) let document = try? SchemaDocument()
    /// No request of a test that has to be answered with a result is longer.
    private static let longest = 1 << 17
    /// The methods that were called and not answered yet, by the ids of their requests.
    private var methods: [String: String] = [:]

    /// Records what is sent: whole lines of any content.
    mutating func note(sent bytes: some Sequence<UInt8>, _ sample: inout SchemaSample) {
        for line in Array(bytes).split(separator: 0x0A) where line.count < Self.longest {
            guard sample.takes(Self.method(of: line)),
                let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
                let id = Self.key(object["id"]), let method = object["method"] as? String, methods[id] == nil
            else { continue }
            methods[id] = method
        }
    }

    /// - Throws: `Violation`.
    mutating func hold(received line: String, _ sample: inout SchemaSample) throws {
        let isEvent = line.hasPrefix(#"{"jsonrpc":"2.0","method":"event""#)
        let method = isEvent ? "event" : Self.id(of: line).flatMap { methods.removeValue(forKey: $0) }
        // Without a known method there is nothing to hold a result against; an error has one shape.
        guard method != nil && !isEvent || sample.takes(method ?? "", bits: isEvent ? 8 : 4),
            let object = SchemaDocument.object(line), object["jsonrpc"] != nil,
            let method = method ?? (object["error"] == nil ? nil : "")
        else { return }
        guard let document = Self.document else { throw Violation(description: "the schema cannot be read") }
        let problems = document.problems(of: object, answering: method)
        guard problems.isEmpty else {
            throw Violation(description: "\(method): \(problems.joined(separator: "; ")): \(line.prefix(2000))")
        }
    }

    /// What seems to be the method of a line: good enough for a sample.
    private static func method(of line: ArraySlice<UInt8>) -> String {
        let member = #""method":""#
        return (line + [0]).withUnsafeBytes { line in
            let text = line.assumingMemoryBound(to: CChar.self)
            guard let start = text.baseAddress, let found = strstr(start, member) else { return "" }
            let name = line[(start.distance(to: UnsafePointer(found)) + member.utf8.count)...]
            return String(decoding: name.prefix { $0 != 0x22 }, as: UTF8.self)
        }
    }

    /// The key of the id with which the daemon's answers begin.
    private static func id(of line: String) -> String? {
        let before = #"{"jsonrpc":"2.0","id":"#
        guard line.hasPrefix(before) else { return key(SchemaDocument.object(line)?["id"]) }
        let id = line.utf8.dropFirst(before.utf8.count).prefix { $0 != 0x2C }
        return id.first == 0x22 ? key(SchemaDocument.object(line)?["id"]) : String(id)
    }

    private static func key(_ id: Any?) -> String? {
        switch id {
        case let text as String: "\"\(text)"
        case let number as NSNumber: "\(number)"
        default: nil
        }
    }
}

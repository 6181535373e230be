// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// Holds what comes over one connection against the schema that the service publishes: answers, however late, and events.
struct SchemaCheck {
    /// A line that is not as the schema says.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    private static nonisolated(unsafe) let document = try? SchemaDocument()
    /// No request of a test that has to be answered with a result is longer.
    private static let longest = 1 << 17
    /// The methods that were called and not answered yet, by the ids of their requests.
    private var methods: [String: String] = [:]
    private var events = 0

    /// Of a flood of events the first ones, and some: to look at one costs more than to send it.
    private mutating func isLookedAt(_ line: String) -> Bool {
        guard line.hasPrefix(#"{"jsonrpc":"2.0","method":"event""#) else { return true }
        events += 1
        return events <= 64 || events.isMultiple(of: 256)
    }

    /// Takes note of what is sent: whole lines, whatever they are.
    mutating func note(sent bytes: some Sequence<UInt8>) {
        for line in Array(bytes).split(separator: 0x0A) where line.count < Self.longest {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
                let id = Self.key(object["id"]), let method = object["method"] as? String, methods[id] == nil
            else { continue }
            methods[id] = method
        }
    }

    /// - Throws: `Violation`.
    mutating func hold(received line: String) throws {
        guard isLookedAt(line), line.contains(#""jsonrpc""#), let object = SchemaDocument.object(line) else {
            return
        }
        let isEvent = object["method"] != nil
        let method = isEvent ? "event" : Self.key(object["id"]).flatMap { methods.removeValue(forKey: $0) }
        // Without a known method there is nothing to hold a result against; an error has one shape.
        guard let method = method ?? (object["error"] == nil ? nil : "") else { return }
        guard let document = Self.document else { throw Violation(description: "the schema cannot be read") }
        let problems = document.problems(ofLine: line, answering: method)
        guard problems.isEmpty else {
            throw Violation(description: "\(method): \(problems.joined(separator: "; ")): \(line.prefix(2000))")
        }
    }

    private static func key(_ id: Any?) -> String? {
        switch id {
        case let text as String: "\"\(text)"
        case let number as NSNumber: "\(number)"
        default: nil
        }
    }
}

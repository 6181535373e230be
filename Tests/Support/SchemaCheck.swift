// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Holds what the service answers against the schema that it publishes.
enum SchemaCheck {
    /// An answer that is not as the schema says.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    private nonisolated(unsafe) static let document = try? SchemaDocument()

    /// - Parameter method: the one that was called, which need not be one that there is.
    static func hold(_ line: String, answering method: String) throws {
        guard !line.isEmpty else { return }
        guard let document else { throw Violation(description: "the schema cannot be read") }
        let problems = document.problems(ofLine: line, answering: method)
        guard problems.isEmpty else {
            throw Violation(description: "\(method): \(problems.joined(separator: "; ")): \(line.prefix(2000))")
        }
    }
}

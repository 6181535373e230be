// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An answer of the wire.
package struct TestAnswer {
    package let result: [String: Any]?
    package let error: [String: Any]?

    package init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        result = object?["result"] as? [String: Any]
        error = object?["error"] as? [String: Any]
    }

    package func text(_ name: String) -> String? { result?[name] as? String }

    /// The codes of the reasons of a refusal.
    package var reasons: [String] { members("reason") }
    package var fixes: [String] { members("fix") }
    package var events: [String] { members("event") }
    package var retryAfter: Int? { list.compactMap { $0["retryAfterMilliseconds"] as? Int }.first }

    private var list: [[String: Any]] {
        (error?["data"] as? [String: Any])?["reasons"] as? [[String: Any]] ?? []
    }

    private func members(_ name: String) -> [String] { list.compactMap { $0[name] as? String } }

    /// The kind of a malformed message.
    package var problem: String? { (error?["data"] as? [String: Any])?["problem"] as? String }

    /// What `autofill.suggest` withheld: type → codes.
    package var withheld: [String: [String]] {
        let list = result?["withheld"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: list.map { entry in
                (
                    entry["type"] as? String ?? "",
                    (entry["reasons"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
                )
            })
    }

    /// The suggestion of a type.
    package func suggestion(_ type: String) -> [String: Any]? {
        (result?["suggestions"] as? [[String: Any]] ?? []).first { $0["type"] as? String == type }
    }
}

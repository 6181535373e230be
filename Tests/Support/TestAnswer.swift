// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An answer of the wire.
package struct TestAnswer {
    package let result: [String: Any]?
    package let error: [String: Any]?
    /// An integer or a text; nil where it is null.
    package let id: Any?

    package init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        result = object?["result"] as? [String: Any]
        error = object?["error"] as? [String: Any]
        id = object?["id"].flatMap { $0 is NSNull ? nil : $0 }
    }

    /// What `status` returns beside the state of the vault.
    package var daemon: [String: Any]? { result?["daemon"] as? [String: Any] }

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

    /// The code of an error.
    package var code: Int? { error?["code"] as? Int }
    /// The kind of a malformed message: its reason, under one of the codes of JSON-RPC itself.
    package var problem: String? { code.map { -32768 ... -32100 ~= $0 } == true ? reasons.first : nil }
    /// The member that a malformed message's reason names.
    package var member: String? { (list.first?["parameters"] as? [String: Any])?["member"] as? String }

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

    /// What `autofill.suggest` suggests.
    package var types: [String] {
        (result?["suggestions"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String }
    }

    /// What `autofill.suggest` took the fields for.
    package var roles: [String: String] {
        let roles = result?["roles"] as? [[String: String]] ?? []
        return Dictionary(uniqueKeysWithValues: roles.map { ($0["field"] ?? "", $0["role"] ?? "") })
    }

    /// The evidence of a condition in an answer of `diagnose`.
    package func evidence(of condition: String) -> String? {
        let conditions = result?["conditions"] as? [[String: Any]] ?? []
        return conditions.first { $0["condition"] as? String == condition }?["evidence"] as? String
    }

    /// The suggestion of a type.
    package func suggestion(_ type: String) -> [String: Any]? {
        (result?["suggestions"] as? [[String: Any]] ?? []).first { $0["type"] as? String == type }
    }
}

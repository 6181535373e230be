// SPDX-License-Identifier: Apache-2.0
import AutofillPolicy
import AutofillProtocol
import Reasons

/// A table of protocol.md that is written from the code.
struct GeneratedTable {
    let name: String
    private let header: [String]
    private let rows: [[String]]

    /// Its lines, in Markdown.
    var lines: [String] {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        return [line(header), "|" + String(repeating: "---|", count: header.count)] + rows.map(line)
    }

    init(_ name: String, _ header: [String], _ rows: [[String]]) {
        self.name = name
        self.header = header
        self.rows = rows
    }

    static var all: [GeneratedTable] {
        [
            conditions, access("access", .everyApp), access("access-more", .someApps),
            access("access-admin", .administration), problems, limits, shares, ownLimits, reasons, reasonNames,
            failures, settings,
        ]
    }
}

extension GeneratedTable {
    static var conditions: GeneratedTable {
        let purposes: [Examination.Purpose] = [.strongPassword, .save, .savedCredential, .keychainItem]
        return GeneratedTable(
            "conditions", ["condition", "", "strong password", "save", "saved credential", "keychain item"],
            Condition.allCases.map { condition in
                ["`\(condition.rawValue)`", condition.title]
                    + purposes.map { $0.conditions.contains(condition) ? "needed" : "" }
            })
    }

    static func access(_ name: String, _ audience: Method.Audience) -> GeneratedTable {
        GeneratedTable(
            name,
            [
                "method", "class", "registration", "association", "assurance", "grant", "vault", "proof",
            ],
            Method.allCases.filter { $0.audience == audience }.map(\.declaration).map { row in
                [
                    "`\(row.method.rawValue)`", row.accessClass.rawValue, row.needsRegistration ? "needed" : "",
                    row.needsAssociation ? "needed" : "", row.needsIdentity ? "claimed" : "",
                    row.needsGrant ? "needed" : "", row.vault, row.proof,
                ]
            })
    }

    static var problems: GeneratedTable {
        GeneratedTable(
            "problems", ["code", "reason", "message", "fix"],
            ProtocolProblem.Kind.allCases.map { kind in
                let problem = ProtocolProblem(kind, member: "MEMBER", detail: "WHAT IS EXPECTED")
                return ["−\(-problem.code)", "`\(kind.rawValue)`", problem.message, problem.fix]
            })
    }

    /// When the same request may succeed, and who can cause that.
    static var reasonNames: GeneratedTable {
        let retries: [Reason.Retry] = [.never, .now, .afterChange, .afterEvent, .afterDelay]
        let audiences: [Reason.Audience] = [.user, .developer, .administrator]
        return GeneratedTable(
            "reason-names", ["retry", "audience", "reasons"],
            retries.flatMap { retry in
                audiences.compactMap { audience in
                    let names = Reason.allCases.filter { $0.retry == retry && $0.audience == audience }
                        .map { "`\($0.rawValue)`" }
                    return names.isEmpty ? nil : [retry.rawValue, audience.rawValue, names.joined(separator: ", ")]
                }
            })
    }

    static var failures: GeneratedTable {
        GeneratedTable(
            "failures", ["failure", ""], AssociationFailure.allCases.map { ["`\($0.rawValue)`", "\($0.meaning)."] })
    }

    static var reasons: GeneratedTable {
        GeneratedTable(
            "reasons", ["reason", "message", "fix", "audience", "retry", "MESSAGE_ID"],
            Reason.allCases.map { reason in
                [
                    "`\(reason.rawValue)`", reason.message, Refusal(reason).fix, reason.audience.rawValue,
                    reason.retry.rawValue + (reason.event.map { " `\($0)`" } ?? ""), "`\(reason.messageID)`",
                ]
            })
    }
}

// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import PasswordRules

/// Members that several commands print with `--json`.
package enum RulesJSON {
    /// `"diagnostics": [{"code": …, "error": …, "offset": …, "length": …, "text": …, "done": …, "message": …, "fix":
    /// …}]`
    package static func write(_ diagnostics: [PasswordRulesDiagnostic], to writer: inout JSONWriter) {
        writer.member(
            "diagnostics",
            array: { writer in
                for diagnostic in diagnostics {
                    writer.object { writer in
                        writer.member("code", diagnostic.finding.rawValue)
                        writer.member("error", diagnostic.isError)
                        writer.member("offset", diagnostic.offset)
                        writer.member("length", diagnostic.length)
                        writer.member("text", diagnostic.text)
                        writer.member("done", diagnostic.action.rawValue)
                        writer.member("message", diagnostic.message)
                        writer.member("fix", diagnostic.fix)
                    }
                }
            })
    }

    /// `"bits": 71.023456`, or null if there is no password.
    package static func write(bits: Double?, to writer: inout JSONWriter) {
        writer.key("bits")
        guard let bits else { return writer.null() }
        let millionths = Int((bits * 1e6).rounded())
        let decimals = String(millionths % 1_000_000)
        var text = "\(millionths / 1_000_000).\(String(repeating: "0", count: 6 - decimals.count))\(decimals)"
        text.withUTF8 { writer.raw(UnsafeRawBufferPointer($0)) }
    }

    /// `"violations": [{"code": …, "rule": …, "offset": …, "length": …, "missing": …, "message": …}]`
    package static func write(_ violations: [PasswordViolation], to writer: inout JSONWriter) {
        writer.member(
            "violations",
            array: { writer in
                for violation in violations {
                    writer.object { writer in
                        writer.member("code", violation.kind.rawValue)
                        writer.member("rule", violation.rule)
                        writer.member("offset", orNull: violation.position?.lowerBound)
                        writer.member("length", orNull: violation.position?.count)
                        writer.member("missing", violation.missing)
                        writer.member("message", violation.message)
                    }
                }
            })
    }

    /// `"refusal": {"code": …, "message": …, "fix": …}`
    package static func write(_ refusal: PasswordRulesRefusal, to writer: inout JSONWriter) {
        writer.member(
            "refusal",
            object: { writer in
                writer.member("code", refusal.code)
                writer.member("message", refusal.message)
                writer.member("fix", refusal.fix)
            })
    }
}

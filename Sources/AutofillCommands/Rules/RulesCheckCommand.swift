// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import PasswordRules
import RulesPlayground

struct RulesCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the passwords on standard input against rules.",
        discussion: """
            Prints which rule is violated, and where, but never a password. The exit status is 0 if all passwords meet the \
            rules. Required rules need distinct characters, and max-consecutive limits equal, ascending and descending ones.

            Example:
              autofillctl rules check 'required: digit; minlength: 8' < passwords
            """)

    @OptionGroup var rules: RulesArgument
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let parsed = try rules.parsed()
        if !format.json { console.warn(of: parsed.diagnostics) }
        var (total, broken) = (0, 0)
        try RulesLines().forEach { password, number throws(CommandFailure) in
            let violations = parsed.rules.violations(in: password)
            total += 1
            if !violations.isEmpty { broken += 1 }
            if format.json {
                console.print { violations.write(to: &$0, line: number) }
            } else {
                for violation in violations { console.print("line \(number): \(violation.message)") }
            }
        }
        guard broken > 0 else { return }
        throw CommandFailure(
            .refused,
            format.json
                ? []
                : [
                    CommandFailure.Problem(
                        code: nil,
                        message:
                            "\(broken) of \(total.counted("password")) \(broken == 1 ? "breaks" : "break") the rules",
                        fix: nil)
                ])
    }
}

extension [PasswordViolation] {
    /// `{"line": 1, "valid": false, "violations": […]}`
    fileprivate func write(to writer: inout JSONWriter, line: Int) {
        writer.member("line", line)
        writer.member("valid", isEmpty)
        RulesJSON.write(self, to: &writer)
    }
}

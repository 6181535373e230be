// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Settings

extension Setting {
    /// Checks the name of a setting from the command line.
    static func check(argument: String) throws(CommandFailure) {
        let names = allCases.map(\.rawValue)
        guard !names.contains(argument) else { return }
        throw CommandFailure(
            .usage, "There is no setting \(argument.quoted)",
            fix: argument.nearest(of: names).map { CommandLineFix.fix(argument, $0) }
                ?? "List them: autofillctl settings list")
    }
}

extension CommandFailure {
    /// The same failure; if its fix is another value, with the command that sets that.
    func proposing(insteadOf value: String) -> CommandFailure {
        CommandFailure(
            status,
            problems.map { problem in
                guard let found = problem.fix?.wholeMatch(of: /Give "([^"]+)"/) else { return problem }
                return Problem(
                    code: problem.code, message: problem.message, fix: CommandLineFix.fix(value, String(found.1)))
            })
    }
}

// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import PasswordRules

/// autofillctl rules: the password rules language on the command line. It needs no daemon.
package struct RulesCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Parses, explains, counts and checks password rules.",
        discussion: """
            Examples:
              autofillctl rules explain 'required: upper; required: digit; maxlength: 20'
              autofillctl rules sample -n 5 --style random 'allowed: upper, digit'
            """,
        subcommands: [
            RulesParseCommand.self, RulesExplainCommand.self, RulesCheckCommand.self, RulesSampleCommand.self,
            RulesEntropyCommand.self, RulesPlaygroundCommand.self,
        ])

    package init() {}
}

/// The rules of a command, parsed as the daemon parses them.
struct RulesArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The rules, as in a passwordrules attribute.", valueName: "rules"))
    var descriptor: String

    func parsed() throws(CommandFailure) -> PasswordRules.Parsed { try PasswordRules.Parsed(argument: descriptor) }
}

extension PasswordRules.Parsed {
    /// Rules from the command line, or the failure that ends the command.
    init(argument: String) throws(CommandFailure) {
        do throws(PasswordRulesRefusal) {
            self = try PasswordRules.parse(argument)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    init(_ refusal: PasswordRulesRefusal) {
        self.init(.refused, [Problem(code: refusal.code, message: refusal.message, fix: refusal.fix)])
    }
}

extension PasswordGenerator {
    /// A generator, or the failure that ends the command.
    init(_ rules: PasswordRules, _ options: Options) throws(CommandFailure) {
        do throws(PasswordRulesRefusal) {
            try self.init(rules: rules, options: options)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension PasswordGenerator.Style: ExpressibleByArgument {}
extension PasswordRules.CountReading: ExpressibleByArgument {}

extension Console {
    /// Prints what was not parsed literally, on standard error, so that it is not mixed with the result.
    func warn(of diagnostics: [PasswordRulesDiagnostic]) {
        for diagnostic in diagnostics { printError("autofillctl: \(diagnostic.description.printable)") }
    }
}

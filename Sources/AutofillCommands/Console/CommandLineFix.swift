// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Reasons

/// The command that this process was started with, corrected: a fix that users paste.
enum CommandLineFix {
    /// The arguments of this process.
    static let arguments = Array(CommandLine.arguments.dropFirst())

    /// `Did you mean: autofillctl …`, with one argument replaced.
    static func fix(_ wrong: String, _ right: String, in arguments: [String] = arguments) -> String {
        guard let index = arguments.firstIndex(of: wrong) else {
            return "Did you mean \(right.quoted) instead of \(wrong.quoted)?"
        }
        var arguments = arguments
        arguments[index] = right
        return "Did you mean: \(command(arguments))"
    }

    /// The command with a further argument after another.
    static func command(adding argument: String, after other: String, in arguments: [String] = arguments) -> String {
        var arguments = arguments
        arguments.insert(argument, at: (arguments.firstIndex(of: other) ?? arguments.count - 1) + 1)
        return command(arguments)
    }

    static func command(_ arguments: [String] = arguments) -> String {
        (["autofillctl"] + arguments.map { $0.printable.shellQuoted }).joined(separator: " ")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains

/// A word at the position of a command's name that is none.
struct UnknownCommand {
    private let arguments: [String]
    private let word: String
    private let names: [String]

    /// nil if the arguments begin with a complete command.
    init?(_ arguments: [String]) {
        let words = AutofillCommand.withCommand(arguments).filter { !$0.hasPrefix("-") }
        guard let (word, names) = Self.unknown(words[...], AutofillCommand.configuration) else { return nil }
        (self.arguments, self.word, self.names) = (arguments, word, names)
    }

    /// The first word that names no command, and the names that are possible there.
    private static func unknown(
        _ words: ArraySlice<String>, _ configuration: CommandConfiguration
    ) -> (word: String, names: [String])? {
        let commands = (configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands))
            .map { $0.configuration }
        guard let word = words.first, !commands.isEmpty, configuration.defaultSubcommand == nil else { return nil }
        guard let next = commands.first(where: { $0.commandName == word || $0.aliases.contains(word) }) else {
            return (word, commands.compactMap(\.commandName))
        }
        return unknown(words.dropFirst(), next)
    }

    /// The command that was probably meant.
    var fix: String? {
        word.nearest(of: names).map { CommandLineFix.fix(word, $0, in: arguments) }
    }
}

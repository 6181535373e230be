// SPDX-License-Identifier: Apache-2.0

/// A command as ArgumentParser describes it (`--experimental-dump-help`): the source of the manual page.
struct CommandDescription: Decodable {
    let commandName: String
    let superCommands: [String]?
    let shouldDisplay: Bool?
    let abstract: String?
    let discussion: String?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// The output of `--experimental-dump-help`.
    struct Tool: Decodable {
        let command: CommandDescription
    }

    struct Argument: Decodable, Hashable {
        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
    }

    struct Name: Decodable, Hashable {
        /// `long`, `short` or `longWithSingleDash`.
        let kind: String
        let name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    /// With the names of its parent commands.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The commands without subcommands, in the order of `--help`.
    var leaves: [CommandDescription] {
        guard let subcommands, !subcommands.isEmpty else { return [self] }
        return subcommands.filter { $0.commandName != "help" && $0.shouldDisplay != false }.flatMap(\.leaves)
    }

    /// The arguments that are documented.
    var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
}

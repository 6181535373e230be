// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct CodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Prints, sets, imports and exports one-time codes.",
        discussion: """
            Example:
              autofillctl code shop.example.com
            """,
        subcommands: [
            CodeGetCommand.self, CodeSetCommand.self, CodeImportCommand.self, CodeExportCommand.self,
            CodeDeleteCommand.self,
        ], defaultSubcommand: CodeGetCommand.self)
}

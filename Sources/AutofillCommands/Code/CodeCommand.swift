// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct CodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "One-time codes: gets, sets, imports, exports them.",
        discussion: """
            Example:
              autofillctl code get shop.example.com
            """,
        subcommands: [
            CodeGetCommand.self, CodeSetCommand.self, CodeImportCommand.self, CodeExportCommand.self,
            CodeDeleteCommand.self,
        ])
}

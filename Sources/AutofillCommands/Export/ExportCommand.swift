// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes what is saved for another program.",
        discussion: """
            Examples:
              autofillctl export passwords.kdbx
              autofillctl export secret-service --only shop.example.com
            """,
        subcommands: [ExportFileCommand.self, ExportSecretServiceCommand.self],
        defaultSubcommand: ExportFileCommand.self)
}

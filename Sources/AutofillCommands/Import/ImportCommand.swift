// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports what other programs have saved.",
        discussion: """
            KWallet cannot be imported: enable the Secret Service with autofillctl secret-service enable, and save each \
            password again in its app.

            Examples:
              autofillctl import passwords.csv
              autofillctl import gnome-keyring --dry-run
            """,
        subcommands: [ImportFileCommand.self, ImportUndoCommand.self, ImportKeyringCommand.self],
        defaultSubcommand: ImportFileCommand.self)
}

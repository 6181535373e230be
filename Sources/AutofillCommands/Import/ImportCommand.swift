// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports what other programs have saved.",
        discussion: """
            Of KWallet, import the XML file that its wallet manager exports (File > Export as XML).

            Examples:
              autofillctl import passwords.csv
              autofillctl import gnome-keyring --dry-run
            """,
        subcommands: [ImportFileCommand.self, ImportUndoCommand.self, ImportKeyringCommand.self],
        defaultSubcommand: ImportFileCommand.self)
}

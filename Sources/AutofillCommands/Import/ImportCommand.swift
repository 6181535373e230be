// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports the items of another keyring.",
        discussion: """
            KWallet cannot be imported: enable the Secret Service with autofillctl secret-service enable, and save each \
            password again in its app.

            Example:
              autofillctl import gnome-keyring --dry-run
            """,
        subcommands: [ImportKeyringCommand.self])
}

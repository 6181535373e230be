// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Takes over what another keyring keeps.",
        discussion: """
            Of KWallet nothing is taken over: start the desktop with it, and have each app save its password again after \
            autofillctl secret-service enable.

            Example:
              autofillctl import gnome-keyring --dry-run
            """,
        subcommands: [ImportKeyringCommand.self])
}

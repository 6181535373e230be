// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows and changes the settings of autofilld.",
        discussion: """
            A change that weakens your protection needs the vault's passphrase or key. Settings that the administrator has \
            fixed in /etc/autofilld/settings.json cannot be changed.

            Examples:
              autofillctl settings list
              autofillctl settings set lockWhenIdleMinutes 15
              autofillctl settings set strongPasswords off --app org.example.Shop
            """,
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        ])
}

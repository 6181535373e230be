// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct SecretServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service", abstract: "Sets up autofilld as the Secret Service.",
        discussion: """
            Hundreds of programs store passwords through the D-Bus name org.freedesktop.secrets, which gnome-keyring or \
            KWallet owns on most desktops. autofill-secrets serves it from the vault of autofilld, where each app can \
            access its own items. The name is acquired only by enable, and released by disable.

            Examples:
              autofillctl secret-service status
              autofillctl secret-service enable
            """,
        subcommands: [
            SecretServiceStatusCommand.self, SecretServiceEnableCommand.self, SecretServiceDisableCommand.self,
        ])
}

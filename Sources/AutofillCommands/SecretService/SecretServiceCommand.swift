// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct SecretServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service", abstract: "Has apps that use Secret Service keep secrets here.",
        discussion: """
            Hundreds of programs keep passwords by the D-Bus name org.freedesktop.secrets, which gnome-keyring or KWallet has on \
            most desktops. autofill-secrets serves it from the vault of autofilld, where each app reaches its own. Nobody takes \
            the name without your word, and disable gives it back.

            Examples:
              autofillctl secret-service status
              autofillctl secret-service enable
            """,
        subcommands: [
            SecretServiceStatusCommand.self, SecretServiceEnableCommand.self, SecretServiceDisableCommand.self,
        ])
}

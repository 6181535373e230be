// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Lists, checks, registers and removes apps.",
        discussion: """
            These commands edit the registration files and need no service; a running service reads the change at once.

            Example:
              autofillctl app register org.example.Shop.json
            """,
        subcommands: [AppListCommand.self, AppCheckCommand.self, AppRegisterCommand.self, AppRemoveCommand.self])
}

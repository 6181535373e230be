// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains

struct KeychainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Keychain items: what apps keep for themselves.",
        discussion: """
            Example:
              autofillctl keychain list
            """,
        subcommands: [
            KeychainListCommand.self, KeychainGetCommand.self, KeychainSetCommand.self, KeychainDeleteCommand.self,
        ])
}

/// Which item.
struct KeychainItemArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The access group: an app's bundle ID, or a group that apps share."))
    var group: String

    @Argument(help: "The service, the app's own word.")
    var service: String

    @Argument(help: "The account.")
    var account: String

    func checkedGroup() throws(CommandFailure) -> String { try BundleIdentifier(argument: group).text }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol

struct KeychainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Keychain items: what apps keep for themselves.",
        discussion: """
            Example:
              autofillctl keychain list
            """,
        subcommands: [
            KeychainListCommand.self, KeychainSearchCommand.self, KeychainGetCommand.self, KeychainSetCommand.self,
            KeychainDeleteCommand.self,
        ])
}

/// Which item.
struct KeychainItemArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("An item's id; or an access group: an app's bundle ID, or a group that apps share."))
    var item: String

    @Argument(help: "In a group, the service of the item's place, the app's own word.")
    var itemService: String?

    @Argument(help: "In a group, the account of the item's place.")
    var account: String?

    func validate() throws {
        if itemService == nil, !item.hasPrefix("itm_") {
            throw ValidationError("Name the item's id, or group, service and account.")
        }
        if itemService != nil, account == nil { throw ValidationError("Name the account, too.") }
    }

    func name() throws(CommandFailure) -> ItemName {
        guard let itemService, let account else { return .id(item) }
        return .place(
            service: itemService, account: account, accessGroup: try BundleIdentifier(argument: item).text)
    }

    /// For a question.
    var printable: String { (account ?? item).printable }
}

/// An attribute, `NAME=TEXT`.
struct AttributeArgument: ExpressibleByArgument {
    let name: String
    let text: String

    init?(argument: String) {
        guard let place = argument.firstIndex(of: "="), place > argument.startIndex else { return nil }
        name = String(argument[..<place])
        text = String(argument[argument.index(after: place)...])
    }
}

extension [AttributeArgument] {
    /// Of a name that is there twice the last one counts.
    var byName: [String: String] { Dictionary(map { ($0.name, $0.text) }) { $1 } }
}

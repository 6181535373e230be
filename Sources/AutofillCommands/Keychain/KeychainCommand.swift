// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol

struct KeychainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Prints, sets and deletes the keychain items of apps.",
        discussion: """
            Example:
              autofillctl keychain list
            """,
        subcommands: [
            KeychainListCommand.self, KeychainSearchCommand.self, KeychainGetCommand.self, KeychainSetCommand.self,
            KeychainDeleteCommand.self,
        ])
}

/// The arguments that name an item.
struct KeychainItemArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("An item's id; or an access group: an app's bundle ID, or a shared group."))
    var item: String

    @Argument(help: "In a group, the item's namespace, a name that the app has chosen.")
    var namespace: String?

    @Argument(help: "In a group, the item's account.")
    var account: String?

    func validate() throws {
        if namespace == nil, !item.hasPrefix("itm_") {
            throw ValidationError("Name the item's id, or group, namespace and account.")
        }
        if namespace != nil, account == nil { throw ValidationError("Name the account as well.") }
    }

    func name() throws(CommandFailure) -> ItemName {
        guard let namespace, let account else { return .id(item) }
        return .place(
            namespace: namespace, account: account, accessGroup: try BundleIdentifier(argument: item).text)
    }

    /// For a confirmation.
    var printable: String { (account ?? item).printable }
}

/// An attribute, `NAME=TEXT`.
struct AttributeArgument: ExpressibleByArgument {
    let name: String
    let text: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
    }
}

extension [AttributeArgument] {
    /// If a name is given twice, the last value is used.
    var byName: [String: String] { Dictionary(map { ($0.name, $0.text) }) { $1 } }
}

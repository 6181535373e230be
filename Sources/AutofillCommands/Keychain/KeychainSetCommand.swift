// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct KeychainSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the data of a keychain item.",
        usage: """
            autofillctl keychain set <item> [<namespace>] [<account>] [--attribute <name=text> ...] [--label <text>] \
            [--content-type <type>] [--collection <collection>] [--data-fd <n>] [proof options] [common options]
            """,
        discussion: """
            The data is a line from the terminal, or all bytes of --data-fd. With only a group and attributes a new item is added.

            Examples:
              autofillctl keychain set org.example.Shop tokens jo --data-fd 3 3< token
              autofillctl keychain set org.example.Shop --attribute server=mail.example.com
            """)

    @Argument(help: ArgumentHelp("An item's id; or an access group: an app's bundle ID, or a shared group."))
    var item: String

    @Argument(help: "In a group, the item's namespace, a name that the app has chosen.")
    var namespace: String?

    @Argument(help: "In a group, the item's account.")
    var account: String?

    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp(
            "An attribute to find the item by; may be repeated. Replaces all former ones.", valueName: "name=text"))
    var attributes: [AttributeArgument] = []

    @Option(help: "The label, for users.")
    var label: String?

    @Option(help: ArgumentHelp("The media type of the bytes.", valueName: "type"))
    var contentType: String?

    @Option(help: "The collection, in which the app sorts its items.")
    var collection: String?

    @Option(
        name: .customLong("data-fd"),
        help: ArgumentHelp("Read the bytes from this open descriptor, to its end.", valueName: "n"))
    var dataDescriptor: Int32?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if namespace != nil, account == nil { throw ValidationError("Name the account as well.") }
        if namespace == nil, !item.hasPrefix("itm_"), attributes.isEmpty {
            throw ValidationError("Name the item's id, or a group with namespace and account, or with attributes.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let target = try target()
        let (session, proof) = try await service.proven(self.proof)
        let answer = try await session.call(
            KeychainSet(target, details: details, data: try data(), proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("\(answer.changed ? "Saved" : "unchanged:") \(answer.item)", console)
    }

    private var details: ItemDetails {
        ItemDetails(
            attributes: attributes.isEmpty ? nil : attributes.byName, label: label, contentType: contentType,
            collection: collection)
    }

    private func target() throws(CommandFailure) -> KeychainSet.Target {
        if namespace == nil, item.hasPrefix("itm_") { return .item(item) }
        let group = try BundleIdentifier(argument: item).text
        guard let namespace, let account else { return .attributes(accessGroup: group) }
        return .place(ItemPlace(namespace: namespace, account: account, accessGroup: group))
    }

    private func data() throws(CommandFailure) -> SecretBytes {
        if let dataDescriptor {
            return try HiddenInput.readAll(descriptor: dataDescriptor, limit: Limits.itemDataBytes)
        }
        return try HiddenInput.ask("Data: ", limit: Limits.itemDataBytes, elsewhere: "Add --data-fd N")
    }
}

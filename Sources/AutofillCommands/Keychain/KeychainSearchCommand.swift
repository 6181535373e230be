// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct KeychainSearchCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Lists a group's keychain items by their attributes.",
        discussion: """
            Example:
              autofillctl keychain search org.example.Shop server=mail.example.com
            """)

    @Argument(help: "The access group: an app's bundle ID, or a shared group.")
    var group: String

    @Argument(help: ArgumentHelp("An attribute and its text.", valueName: "name=text"))
    var attributes: [AttributeArgument] = []

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try BundleIdentifier(argument: group).text
        let (session, proof) = try await service.proven(self.proof)
        let items = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await session.call(
                KeychainSearch(attributes: attributes.byName, accessGroup: group, page: page, proof: proof))
            return (found.items, found.next)
        }
        if format.json { return console.print { $0.member("items", items) } }
        guard !items.isEmpty else { return console.print("No item was found.") }
        var table = Table("LABEL", "ATTRIBUTES", "CHANGED", "ID")
        for item in items {
            let attributes = (item.details.attributes ?? [:]).sorted { $0.key < $1.key }
            table.add(
                item.details.label ?? "", attributes.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
                item.modified?.minute ?? "", item.item)
        }
        console.print(table)
    }
}

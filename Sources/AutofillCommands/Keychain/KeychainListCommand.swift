// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct KeychainListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists keychain items, without their data.",
        discussion: """
            Examples:
              autofillctl keychain list
              autofillctl keychain list org.example.suite tokens
            """)

    @Argument(help: "Only this access group; needs a namespace as well.")
    var group: String?

    @Argument(help: "Only this namespace.")
    var namespace: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if group != nil, namespace == nil { throw ValidationError("Name a namespace of the group as well.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try group.map { text throws(CommandFailure) in try BundleIdentifier(argument: text).text }
        let (session, proof) = try await service.proven(self.proof)
        let items = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await session.call(
                KeychainSearch(namespace: namespace, accessGroup: group, page: page, proof: proof))
            return (found.items, found.next)
        }
        if format.json { return console.print { $0.member("items", items) } }
        guard !items.isEmpty else { return console.print("There are no keychain items.") }
        var table = Table("GROUP", "NAMESPACE OR LABEL", "ACCOUNT", "CHANGED", "ID")
        for item in items {
            // An item without a place is identified by its label.
            table.add(
                item.accessGroup, item.place?.namespace ?? item.details.label ?? "", item.place?.account ?? "",
                item.modified?.minute ?? "", item.item)
        }
        console.print(table)
    }
}

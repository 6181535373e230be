// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct KeychainDeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a keychain item permanently.",
        discussion: """
            Example:
              autofillctl keychain delete org.example.Shop tokens jo
            """)

    @OptionGroup var item: KeychainItemArguments

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let name = try item.name()
        let session = try await service.sessionWithVault()
        try confirm("Delete the item \(item.printable)?", unless: yes)
        let answer = try await session.call(
            KeychainDelete(name, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed ? "Deleted the item \(item.printable)." : "There is no such item.", console)
    }
}

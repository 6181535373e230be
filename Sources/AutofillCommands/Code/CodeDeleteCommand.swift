// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol

struct CodeDeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Removes the one-time codes from a credential.",
        discussion: """
            Example:
              autofillctl code delete shop.example.com jo@example.com
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name.")
    var user: String

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        try confirm("Delete the one-time codes of \(user.printable)?", unless: yes)
        let answer = try await session.call(
            CodeDelete(service: ServiceIdentifier(domain), user: user, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("The credential had no one-time codes.") }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct CodeGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the current one-time code.",
        discussion: """
            A code that goes by a counter is a new one each time. It counts as a release, and is put on record.

            Examples:
              autofillctl code get shop.example.com
              autofillctl code get shop.example.com jo@example.com | wl-copy -n
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name; the one that was used last where it is left out.")
    var user: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            CodeGet(service: ServiceIdentifier(domain), user: user, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.code).printable)
        if console.isTerminal, let end = answer.validUntil { console.print("valid until \(end)") }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct CodeGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the current one-time code.",
        discussion: """
            A counter-based code is a new one each time. This counts as a release, and is recorded.

            Examples:
              autofillctl code get shop.example.com
              autofillctl code get shop.example.com jo@example.com | wl-copy -n
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name; by default the one that was used last.")
    var user: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let answer = try await service.call(proof) {
            CodeGet(service: ServiceIdentifier(domain), user: user, proof: $0)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.code).printable)
        if console.isTerminal, let end = answer.validUntil { console.print("valid until \(end)") }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct CodeExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints the otpauth URI that generates the codes.",
        discussion: """
            This counts as a release, and is recorded.

            Example:
              autofillctl code export shop.example.com jo@example.com > uri
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name.")
    var user: String

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let answer = try await service.call(proof) {
            CodeExport(service: ServiceIdentifier(domain), user: user, proof: $0)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.uri).printable)
    }
}

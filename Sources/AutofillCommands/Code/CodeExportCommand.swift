// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct CodeExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints the otpauth URI, from which codes are made.",
        discussion: """
            It counts as a release, and is put on record.

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
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            CodeExport(service: ServiceIdentifier(domain), user: user, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.uri).printable)
    }
}

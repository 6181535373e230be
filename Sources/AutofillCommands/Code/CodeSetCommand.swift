// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct CodeSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the one-time codes of a saved credential.",
        discussion: """
            The otpauth URI, which a site shows as a QR code, is read from the terminal, or from --uri-fd.

            Examples:
              autofillctl code set shop.example.com jo@example.com
              zbarimg -q --raw code.png | autofillctl code set example.com jo --uri-fd 0
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name of the credential; by default the account in the URI.")
    var user: String?

    @Option(
        name: .customLong("uri-fd"),
        help: ArgumentHelp("Read the otpauth URI from this open descriptor (the first line).", valueName: "n"))
    var uriDescriptor: Int32?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let proof = try await proof.proof(session)
        let answer = try await session.call(
            CodeSet(service: ServiceIdentifier(domain), user: user, uri: try uri(), proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("unchanged: \(answer.credential)") }
    }

    private func uri() throws(CommandFailure) -> SecretBytes {
        if let uriDescriptor { return try HiddenInput.read(descriptor: uriDescriptor, limit: Limits.codeURIBytes) }
        return try HiddenInput.ask("otpauth URI: ", limit: Limits.codeURIBytes, elsewhere: "Add --uri-fd N")
    }
}

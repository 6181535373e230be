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
            The otpauth URI, which a site shows as a QR code, is read from the terminal, or from --uri-fd. The default user \
            name is the account in the URI.

            Examples:
              autofillctl code set shop.example.com jo@example.com
              zbarimg -q --raw code.png | autofillctl code set example.com jo --uri-fd 0
            """)

    @OptionGroup var credential: CredentialArguments

    @Option(
        name: .customLong("uri-fd"),
        help: ArgumentHelp("Read the otpauth URI from this open descriptor (the first line).", valueName: "n"))
    var uriDescriptor: Int32?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        let uri = try uri()
        let answer = try await credential.perform(session, proof) { () async throws(CommandFailure) in
            try await session.call(CodeSet(try credential.name(), uri: uri, proof: proof))
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed ? "Set the one-time codes of \(answer.credential)." : "unchanged: \(answer.credential)",
            console)
    }

    private func uri() throws(CommandFailure) -> SecretBytes {
        if let uriDescriptor { return try HiddenInput.read(descriptor: uriDescriptor, limit: Limits.codeURIBytes) }
        return try HiddenInput.ask("otpauth URI: ", limit: Limits.codeURIBytes, elsewhere: "Add --uri-fd N")
    }
}

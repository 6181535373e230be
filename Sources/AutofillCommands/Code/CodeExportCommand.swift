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

    @OptionGroup var credential: CredentialArguments

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        let found = try await credential.find(session, proof)
        let answer = try await session.call(CodeExport(.id(found.credential), proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.uri).printable)
    }
}

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

    @OptionGroup var credential: CredentialArguments

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        let found = try await credential.find(session, proof)
        try confirm("Delete the one-time codes of \(found.text)?", unless: yes)
        let answer = try await session.call(CodeDelete(.id(found.credential), proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed
                ? "Deleted the one-time codes of \(found.text)." : "The credential had no one-time codes.", console)
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct DeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a saved credential.",
        discussion: """
            It can be restored for 30 days (the setting keepDeletedDays) with autofillctl undelete. Then it is erased.

            Example:
              autofillctl delete crd_…
            """)

    @Argument(help: ArgumentHelp("The credential, from autofillctl list.", valueName: "id"))
    var credential: String

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let proof = try await proof.proof(session)
        // The confirmation must name the credential. If it does not exist, the service reports that.
        let named =
            yes ? nil : try await session.allCredentials(for: nil, with: proof).first { $0.credential == credential }
        if let named {
            try confirm("Delete \(named.user.printable) at \(named.service.value.printable)?", unless: false)
        }
        let answer = try await session.call(CredentialDelete(credential: credential, proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("It was deleted already.") }
    }
}

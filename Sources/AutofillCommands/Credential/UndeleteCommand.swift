// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct UndeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "undelete", abstract: "Gets a deleted credential back.",
        discussion: """
            Example:
              autofillctl undelete crd_…
            """)

    @Argument(help: ArgumentHelp("The credential, from autofillctl list --deleted.", valueName: "id"))
    var credential: String

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            CredentialRestore(credential: credential, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("It was not deleted.") }
    }
}

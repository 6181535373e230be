// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct UndeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "undelete", abstract: "Restores a deleted credential.",
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
        let answer = try await service.call(proof) { CredentialRestore(credential: credential, proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(answer.changed ? "Restored \(credential)." : "It was not deleted.", console)
    }
}

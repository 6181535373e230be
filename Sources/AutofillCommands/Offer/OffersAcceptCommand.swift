// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersAcceptCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Saves an offered password for a user name.",
        discussion: """
            One that was declined or has expired is saved too, as long as it can be found.

            Examples:
              autofillctl offers accept off_… jo@example.com
              autofillctl offers accept off_… --replaces crd_…
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @Argument(help: "The user name at the site.")
    var user: String?

    @Option(
        help: ArgumentHelp("The credential that gets the password, after a change of password.", valueName: "id"))
    var replaces: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if (user == nil) == (replaces == nil) { throw ValidationError("Give a user name or --replaces, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            AutofillAccept(offer: offer, user: user, replaces: replaces, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(
            answer.changed ? "Saved as \(answer.credential)." : "It was saved as \(answer.credential) already.")
    }
}

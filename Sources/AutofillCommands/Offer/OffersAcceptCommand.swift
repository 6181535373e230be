// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersAcceptCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Saves an offered password for a user name.",
        discussion: """
            An offer that was declined or has expired is also saved, as long as it is listed.

            Examples:
              autofillctl offers accept off_… jo@example.com
              autofillctl offers accept off_… --replaces crd_…
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @Argument(help: "The user name at the site.")
    var user: String?

    @Option(
        help: ArgumentHelp("The credential whose password it replaces.", valueName: "id"))
    var replaces: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if (user == nil) == (replaces == nil) { throw ValidationError("Give a user name or --replaces, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) {
            AutofillAccept(offer: offer, user: user, replaces: replaces, proof: $0)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed ? "Saved as \(answer.credential)." : "It is already saved as \(answer.credential).", console)
    }
}

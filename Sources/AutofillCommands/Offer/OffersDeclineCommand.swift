// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersDeclineCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Puts an offered password aside, for 30 days.",
        discussion: """
            Example:
              autofillctl offers decline off_…
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(AutofillDecline(offer: offer, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("It was declined, or had expired, already.") }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersDeclineCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Declines an offered password; it stays for 30 days.",
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
        let answer = try await service.call(proof) { AutofillDecline(offer: offer, proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed ? "Declined; it stays listed for 30 days." : "It was already declined or has expired.",
            console)
    }
}

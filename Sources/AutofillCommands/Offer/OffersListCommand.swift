// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the offers, without passwords.",
        discussion: """
            Example:
              autofillctl offers list --state pending
            """)

    @Option(help: "The state of the offers to list.")
    var state = OfferState.all

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        let offers = try await session.allOffers(state, with: proof)
        if format.json { return console.print { $0.member("offers", offers) } }
        guard !offers.isEmpty else { return console.print("There are no such offers.") }
        var table = Table("DOMAIN", "APP", "STATE", "MADE", "UNTIL", "ID")
        for offer in offers {
            table.add(
                offer.service.value, offer.bundleID, offer.state, offer.created.minute, offer.expires.minute,
                offer.offer)
        }
        console.print(table)
    }
}

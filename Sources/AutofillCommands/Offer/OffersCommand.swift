// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "Lists, accepts and declines offered passwords.",
        discussion: """
            A password that an app offers for a sign-up is in the vault before the app receives it. If the app or the site \
            failed before it was saved, it is still here; declined and expired offers stay for 30 days.

            Examples:
              autofillctl offers list
              autofillctl offers show off_… --reveal
              autofillctl offers accept off_… jo@example.com
            """,
        subcommands: [
            OffersListCommand.self, OffersShowCommand.self, OffersAcceptCommand.self, OffersDeclineCommand.self,
        ])
}

enum OfferState: String, CaseIterable, ExpressibleByArgument {
    case pending, accepted, declined, expired, all
}

extension AutofillSession {
    /// The offers of every app, in a state.
    func allOffers(_ state: OfferState, with proof: Proof) async throws(CommandFailure) -> [OfferReport] {
        let offers = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await call(OfferList(state: state.rawValue, page: page, proof: proof))
            return (found.offers, found.next)
        }
        return offers.sorted { $0.created > $1.created }
    }
}

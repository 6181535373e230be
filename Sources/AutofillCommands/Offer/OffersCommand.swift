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

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "Finds strong passwords that were offered, and finishes a sign-up that was interrupted.",
        discussion: """
            A password that an app got for a sign-up is in the vault before the app hears of it. Where the app or the site \
            failed before it was saved, it is still here; what was declined or has expired stays for 30 days.

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

struct OffersListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the offers, without passwords.",
        discussion: """
            Example:
              autofillctl offers list --state pending
            """)

    @Option(help: "Which ones: \(OfferState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state = OfferState.all

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let offers = try await session.allOffers(state, with: try proof.proof())
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

struct OffersShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows an offer; its password only with --reveal.",
        discussion: """
            Where the output is no terminal, --reveal prints the password and nothing else. Only --reveal counts as a \
            release, and is put on record.

            Examples:
              autofillctl offers show off_…
              autofillctl offers show off_… --reveal | wl-copy -n
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @Flag(help: "Print the password.")
    var reveal = false

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        var password: String?
        if reveal {
            let answer = try await session.call(AutofillFill(offer: offer, proof: proof))
            if format.json { return console.print { answer.write(to: &$0) } }
            password = answer.password.map { String($0) }
            if let password, !console.isTerminal { return console.print(password) }
        }
        let offers = try await session.allOffers(.all, with: proof)
        guard let found = offers.first(where: { $0.offer == offer }) else {
            throw CommandFailure(.notFound, "There is no such offer", fix: "See: autofillctl offers list")
        }
        if format.json { return console.print { found.write(to: &$0) } }
        console.print("domain    \(found.service.value.printable)")
        console.print("password  \(password?.printable ?? console.styled("hidden; --reveal shows it", .dim))")
        console.print("app       \(found.bundleID.printable)")
        console.print("state     \(found.state)")
        if let credential = found.credential { console.print("became    \(credential)") }
        console.print("made      \(found.created.minute)")
        console.print("until     \(found.expires.minute)")
    }
}

struct OffersAcceptCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Finishes a sign-up: saves the offered password for a user name.",
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

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if (user == nil) == (replaces == nil) { throw ValidationError("Give a user name or --replaces, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            AutofillAccept(offer: offer, user: user, replaces: replaces, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(
            answer.changed ? "Saved as \(answer.credential)." : "It was saved as \(answer.credential) already.")
    }
}

struct OffersDeclineCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Puts an offered password aside; it can be found for 30 days.",
        discussion: """
            Example:
              autofillctl offers decline off_…
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(AutofillDecline(offer: offer, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("It was declined, or had expired, already.") }
    }
}

extension AutofillSession {
    /// The offers of every app, in a state.
    func allOffers(_ state: OfferState, with proof: Proof) async throws(CommandFailure) -> [OfferReport] {
        let offers = try await PageRequest.all { page throws(CommandFailure) in
            let found = try await call(OfferList(state: state.rawValue, page: page, proof: proof))
            return (found.offers, found.next)
        }
        return offers.sorted { $0.created > $1.created }
    }
}

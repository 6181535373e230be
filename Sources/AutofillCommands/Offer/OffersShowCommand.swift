// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct OffersShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows an offer; its password only with --reveal.",
        discussion: """
            If standard output is no terminal, --reveal prints only the password. Only --reveal counts as a release, and is \
            recorded.

            Examples:
              autofillctl offers show off_…
              autofillctl offers show off_… --reveal | wl-copy -n
            """)

    @Argument(help: ArgumentHelp("The offer, from autofillctl offers list.", valueName: "id"))
    var offer: String

    @Flag(help: "Print the password.")
    var reveal = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
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

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

struct RenameCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Changes the user name of a saved credential.",
        usage: """
            autofillctl rename <site> <user> <new-user> [proof options] [common options]
            autofillctl rename <id> <new-user> [the same options]
            """,
        discussion: """
            The password, its history, the one-time codes and all else remain. A user name that is saved for the site \
            already is refused.

            Examples:
              autofillctl rename shop.example.com jo jo@example.com
            """)

    @Argument(help: ArgumentHelp("The site's domain, or a credential's id.", valueName: "site"))
    var site: String

    @Argument(help: "The user name; with an id the new one.")
    var user: String

    @Argument(help: "The new user name.")
    var newUser: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if site.hasPrefix("crd_") == (newUser != nil) {
            throw ValidationError("Give a site, the user name and the new one, or an id and the new user name.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let credential = CredentialArguments(site: site, user: newUser == nil ? nil : user)
        let new = newUser ?? user
        let name = try credential.name()
        let (session, proof) = try await service.proven(self.proof)
        let answer = try await credential.perform(session, proof) { () async throws(CommandFailure) in
            do throws(CommandFailure) {
                return try await session.call(CredentialUpdate(name, newUser: new, proof: proof))
            } catch {
                throw error.fixing(
                    .credentialTaken, "Choose another name, or see: \(CommandLineFix.command(["get", site, new]))")
            }
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        let former = newUser == nil ? site : user
        format.report(
            answer.changed
                ? "Renamed \(former.printable) to \(new.printable)." : "It has that user name already.", console)
    }
}

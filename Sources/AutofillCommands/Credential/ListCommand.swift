// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct ListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the saved credentials, without passwords.",
        discussion: """
            autofillctl ls is the same command.

            Examples:
              autofillctl list
              autofillctl list shop.example.com --json
              autofillctl list --tag work
              autofillctl list --deleted
            """, aliases: ["ls"])

    @Argument(help: ArgumentHelp("List only the credentials of this domain.", valueName: "site"))
    var domain: String?

    @Flag(help: "List deleted credentials, which autofillctl undelete restores.")
    var deleted = false

    @Option(help: ArgumentHelp("List only the credentials with this tag.", valueName: "tag"))
    var tag: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if deleted, domain != nil { throw ValidationError("Give a domain or --deleted, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try domain.map { text throws(CommandFailure) in try DomainName(argument: text) }
        let (session, proof) = try await service.proven(self.proof)
        let credentials = try await session.allCredentials(for: domain, deleted: deleted, with: proof).filter {
            tag.map($0.tags.contains) ?? true
        }
        if format.json { return console.print { $0.member("credentials", credentials) } }
        guard !credentials.isEmpty else {
            return console.print(deleted ? "There is no deleted credential." : "No credential is saved.")
        }
        console.print(Table(credentials, deleted: deleted))
    }
}

extension Table {
    /// Credentials, with their labels if one has one.
    init(_ credentials: [CredentialSummary], deleted: Bool = false) {
        let labels = credentials.contains { !$0.label.isEmpty }
        let time = deleted ? "DELETED" : "CHANGED"
        self =
            labels
            ? Table("DOMAIN", "USER", "LABEL", time, "LAST USED", "ID")
            : Table("DOMAIN", "USER", time, "LAST USED", "ID")
        for credential in credentials {
            let (domain, user) = (credential.service.value, credential.user)
            let time = (credential.deleted ?? credential.modified).minute
            let used = credential.lastUsed?.minute ?? "never"
            if labels {
                add(domain, user, credential.label, time, used, credential.credential)
            } else {
                add(domain, user, time, used, credential.credential)
            }
        }
    }
}

extension ServiceIdentifier {
    init(_ domain: DomainName) { self.init(type: "domain", value: domain.text) }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct DomainListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the associated domains of all apps, or of one.",
        discussion: """
            Example:
              autofillctl domain list org.example.Shop
            """)

    @Argument(help: ArgumentHelp("List only the domains of this app.", valueName: "bundle-id"))
    var bundleID: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try bundleID.map { text throws(CommandFailure) in try BundleIdentifier(argument: text).text }
        let (session, proof) = try await service.proven(self.proof)
        let domains = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await session.call(DomainList(bundleID: app, page: page, proof: proof))
            return (found.domains, found.next)
        }
        if format.json { return console.print { $0.member("domains", domains) } }
        guard !domains.isEmpty else { return console.print("No app has an associated domain.") }
        var table = Table("APP", "ENTRY", "APPROVED", "SITE", "USER", "LAST ASKED", "LAST FAILURE")
        for domain in domains {
            table.add(
                domain.bundleID, domain.name, domain.approved ? "yes" : "no", domain.siteText,
                domain.userText, domain.lastAttempt?.minute ?? "never", domain.lastFailure ?? "")
        }
        console.print(table)
    }
}

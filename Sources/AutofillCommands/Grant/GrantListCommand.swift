// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the grants and denials.",
        discussion: """
            Example:
              autofillctl grant list
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        let grants = try await session.allGrants(with: proof)
        if format.json { return console.print { $0.member("grants", grants) } }
        guard !grants.isEmpty else { return console.print("There are no grants and no denials.") }
        var table = Table("APP", "DOMAIN OR KEYCHAIN", "DECISION", "PROGRAM", "SINCE", "ID")
        for grant in grants {
            table.add(
                grant.bundleID, grant.isForAllSites ? "every web site, until the login ends" : grant.target.text,
                grant.decision,
                grant.executable.isEmpty ? "any" : grant.executable,
                grant.created.minute, grant.grant)
        }
        console.print(table)
    }
}

extension GrantReport {
    /// Whether it is a browser's consent for all sites (the setting askInBrowser).
    fileprivate var isForAllSites: Bool { service == ServiceIdentifier(type: "origin", value: "*") }
}

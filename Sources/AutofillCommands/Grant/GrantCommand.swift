// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Allows and denies apps what is saved.",
        discussion: """
            Example:
              autofillctl grant allow org.example.Shop shop.example.com
            """,
        subcommands: [
            GrantAllowCommand.self, GrantDenyCommand.self, GrantListCommand.self, GrantRevokeCommand.self,
        ])
}

extension AutofillSession {
    /// All grants and denials.
    func allGrants(with proof: Proof) async throws(CommandFailure) -> [GrantReport] {
        try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await call(GrantList(page: page, proof: proof))
            return (found.grants, found.next)
        }
    }
}

extension ServiceIdentifier {
    /// What is allowed or denied: a domain, or GROUP/SERVICE of keychain items.
    init(argument: String) throws(CommandFailure) {
        // No domain has a slash, and no access group.
        if argument.contains("/") {
            self.init(type: "keychain", value: argument)
        } else {
            self.init(try DomainName(argument: argument))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Says which apps may fill what is saved.",
        discussion: """
            Example:
              autofillctl grant allow org.example.Shop shop.example.com
            """,
        subcommands: [
            GrantAllowCommand.self, GrantDenyCommand.self, GrantListCommand.self, GrantRevokeCommand.self,
        ])
}

extension ServiceIdentifier {
    /// What is allowed or denied: a domain, GROUP/SERVICE of keychain items, a page's origin, or after `url:` the string of a
    /// credential helper, which needs that only where it could be taken for another.
    init(argument: String) throws(CommandFailure) {
        // No domain has a slash, and no access group.
        if argument.hasPrefix("url:") {
            self.init(type: "url", value: String(argument.dropFirst(4)))
        } else if ["http://", "https://"].contains(where: argument.lowercased().hasPrefix) {
            do throws(WebOriginError) {
                _ = try WebOrigin(argument)
            } catch {
                let fix = "\(error.fix) Put url: before it where it is what a credential helper was given."
                throw CommandFailure(
                    .usage, "\(argument.quoted) is no web page's origin: \(error.reason)", fix: fix)
            }
            self.init(type: "origin", value: argument)
        } else if argument.contains("://") {
            self.init(type: "url", value: argument)
        } else if argument.contains("/") {
            self.init(type: "keychain", value: argument)
        } else {
            self.init(try DomainName(argument: argument))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Controls which apps may fill saved credentials.",
        discussion: """
            Example:
              autofillctl grant allow org.example.Shop shop.example.com
            """,
        subcommands: [
            GrantAllowCommand.self, GrantDenyCommand.self, GrantListCommand.self, GrantRevokeCommand.self,
        ])
}

extension GrantTarget {
    /// A service, or GROUP/NAMESPACE of keychain items. No domain and no access group contains a slash.
    init(argument: String) throws(CommandFailure) {
        if !argument.contains("://"), !argument.hasPrefix("url:"), let items = GrantedItems(path: argument) {
            self = .keychain(items)
        } else {
            self = .service(try ServiceIdentifier(argument: argument))
        }
    }
}

extension ServiceIdentifier {
    /// A domain, a page's origin, or after `url:` the string of a credential helper; the prefix is needed only if the string
    /// could be mistaken for another kind.
    init(argument: String) throws(CommandFailure) {
        if argument.hasPrefix("url:") {
            self.init(type: "url", value: String(argument.dropFirst(4)))
        } else if ["http://", "https://"].contains(where: argument.lowercased().hasPrefix) {
            do throws(WebOriginError) {
                _ = try WebOrigin(argument)
            } catch {
                let fix = "\(error.fix) If it is a string of a credential helper, write url: before it."
                throw CommandFailure(
                    .usage, "\(argument.quoted) is no web page's origin: \(error.reason)", fix: fix)
            }
            self.init(type: "origin", value: argument)
        } else if argument.contains("://") {
            self.init(type: "url", value: argument)
        } else {
            self.init(try DomainName(argument: argument))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles
import Glibc
import SiteKnowledge

struct QuirksShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the data about a domain.",
        discussion: """
            Example:
              autofillctl quirks show example.com
            """)

    @Argument(help: "The domain.")
    var domain: String

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let name = try DomainName(argument: domain)
        let file = SiteKnowledgeFile(try knowledge.path(), userID: geteuid())
        if let problem = file.problem { throw CommandFailure(problem) }
        let sites = file.sites
        let rules = sites.passwordRules(for: name)
        let address = sites.changePasswordAddress(for: name)
        let shared = sites.domainsSharing(with: name)
        if format.json {
            return console.print { writer in
                writer.member("domain", name.text)
                writer.member("passwordRules", orNull: rules?.descriptor)
                writer.member("changePassword", orNull: address)
                writer.member("appendsCode", sites.appendsCode(name))
                writer.member("sharesCredentials", shared)
            }
        }
        console.print("password rules  \(rules.map { "\($0.descriptor.printable) (of \($0.of))" } ?? "none")")
        console.print("change it at    \(address?.printable ?? "none")")
        console.print("appended code   \(sites.appendsCode(name) ? "yes" : "no")")
        console.print("shared with     \(shared.isEmpty ? "no other domain" : shared.joined(separator: ", "))")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles
import Glibc
import SiteKnowledge

struct QuirksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quirks",
        abstract: "Takes in what is publicly known of sites: password rules, shared accounts, addresses.",
        discussion: """
            The data is that of the password-manager-resources project. AutoFill works without it.

            Examples:
              autofillctl quirks import password-manager-resources/quirks
              autofillctl quirks show example.com
            """,
        subcommands: [QuirksImportCommand.self, QuirksShowCommand.self, QuirksRemoveCommand.self])
}

/// Where the knowledge is kept.
struct SiteKnowledgeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The service's data directory, where it is another than the usual one.", valueName: "dir"))
    var dataDirectory: String?

    func path() throws(CommandFailure) -> String {
        do throws(StandardPathsError) {
            return try StandardPaths(
                environment: ProcessEnvironment.current.variables, dataDirectory: dataDirectory
            ).siteKnowledge
        } catch {
            throw CommandFailure(.usage, error.reason, fix: error.fix)
        }
    }
}

struct QuirksImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Takes in the project's files, in place of those taken in before.",
        discussion: """
            Reads \(SiteFile.allCases.map(\.rawValue).joined(separator: ", ")) as far as they are there. Each is checked \
            whole before anything is replaced. The service sees the change by itself.

            Example:
              autofillctl quirks import password-manager-resources/quirks
            """)

    @Argument(help: ArgumentHelp("The folder with the files.", valueName: "dir"))
    var directory: String

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try knowledge.path()
        let imported: SiteKnowledgeFile.Imported
        do throws(ConfigurationFileProblem) {
            imported = try SiteKnowledgeFile.replace(path, withFilesOf: directory)
        } catch {
            throw CommandFailure(error)
        }
        let sites = imported.sites
        if format.json {
            return console.print { writer in
                writer.member("files", imported.files.map(\.rawValue))
                writer.member("leftOut", imported.leftOut)
                writer.member("passwordRules", sites.rules.count)
                writer.member("sharedCredentials", sites.groups.count)
                writer.member("changePassword", sites.changePassword.count)
                writer.member("appendedCodes", sites.appendsCode.count)
                writer.member("path", path)
            }
        }
        console.print("password rules         \(sites.rules.count) domains")
        console.print("shared accounts        \(sites.groups.count) groups")
        console.print("change of password     \(sites.changePassword.count) addresses")
        console.print("code behind password   \(sites.appendsCode.count) domains")
        for name in imported.leftOut {
            console.print(
                "left out: \(name.printable): \(SiteFile.leftOut[name] ?? "it is not one of the files known here")")
        }
    }
}

struct QuirksShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what is known of a domain.",
        discussion: """
            Example:
              autofillctl quirks show example.com
            """)

    @Argument(help: "The domain.")
    var domain: String

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup var format: FormatOptions

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
        console.print("password rules  \(rules.map { "\($0.descriptor.printable) (of \($0.of))" } ?? "none known")")
        console.print("change it at    \(address?.printable ?? "not known")")
        console.print("appended code   \(sites.appendsCode(name) ? "yes" : "no")")
        console.print("accounts from   \(shared.isEmpty ? "no other domain" : shared.joined(separator: ", "))")
    }
}

struct QuirksRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forgets all that was taken in.",
        discussion: """
            Example:
              autofillctl quirks remove
            """)

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try knowledge.path()
        let wasThere: Bool
        do throws(ConfigurationFileProblem) {
            wasThere = try SiteKnowledgeFile.remove(path)
        } catch {
            throw CommandFailure(error)
        }
        if format.json { return console.print { $0.member("changed", wasThere) } }
        if !wasThere { console.print("Nothing was taken in.") }
    }
}

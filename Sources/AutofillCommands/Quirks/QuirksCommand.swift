// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import ConfigurationFiles
import SiteKnowledge

struct QuirksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quirks",
        abstract: "What is publicly known of sites, as password rules.",
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

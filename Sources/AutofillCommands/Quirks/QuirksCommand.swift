// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import ConfigurationFiles
import SiteKnowledge

struct QuirksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quirks",
        abstract: "Imports and shows public data about sites.",
        discussion: """
            The data is from the password-manager-resources project. AutoFill works without it.

            Examples:
              autofillctl quirks import password-manager-resources/quirks
              autofillctl quirks show example.com
            """,
        subcommands: [QuirksImportCommand.self, QuirksShowCommand.self, QuirksRemoveCommand.self])
}

/// The path of the data about sites.
struct SiteKnowledgeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The service's data directory, if it is not the default.", valueName: "dir"))
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

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains

struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Shows, approves and denies associated domains.",
        discussion: """
            A domain belongs to an app when the app's registration names it and the site approves: the site's \
            /.well-known/apple-app-site-association lists linux.BUNDLE-ID under webcredentials.apps. You may approve a \
            domain instead of the site, and what you deny stays denied whatever the site states.

            Example:
              autofillctl domain list
            """,
        subcommands: [
            DomainListCommand.self, DomainShowCommand.self, DomainRefreshCommand.self, DomainApproveCommand.self,
            DomainDenyCommand.self,
        ])
}

/// The app and the domain of a command.
struct DomainArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(help: "A domain that its registration covers, or one of its wildcards, '*.example.com'.")
    var domain: String

    /// The bundle ID, checked.
    func app() throws(CommandFailure) -> String { try BundleIdentifier(argument: bundleID).text }
}

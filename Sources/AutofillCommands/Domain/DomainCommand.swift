// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains

struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Shows whose apps sites say they are, or says it.",
        discussion: """
            A domain is an app's when its registration names it and the site approves: its \
            /.well-known/apple-app-site-association lists linux.BUNDLE-ID under webcredentials.apps. In place of the site \
            you may approve it yourself, and what you deny stays denied whatever the site says.

            Example:
              autofillctl domain list
            """,
        subcommands: [
            DomainListCommand.self, DomainShowCommand.self, DomainRefreshCommand.self, DomainApproveCommand.self,
            DomainDenyCommand.self,
        ])
}

/// The app and the domain that a command is about.
struct DomainArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(help: "A domain that its registration covers, or one of its wildcards, '*.example.com'.")
    var domain: String

    /// The bundle ID, checked.
    func app() throws(CommandFailure) -> String { try BundleIdentifier(argument: bundleID).text }
}

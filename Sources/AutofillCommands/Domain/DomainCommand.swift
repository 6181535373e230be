// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Shows whether sites say that apps are theirs, and says so in their place.",
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

struct DomainListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the associated domains of all apps, or of one.",
        discussion: """
            Example:
              autofillctl domain list org.example.Shop
            """)

    @Argument(help: ArgumentHelp("Only of this app.", valueName: "bundle-id"))
    var bundleID: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try bundleID.map { text throws(CommandFailure) in try BundleIdentifier(argument: text).text }
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        let domains = try await PageRequest.all { page throws(CommandFailure) in
            let found = try await session.call(DomainList(bundleID: app, page: page, proof: proof))
            return (found.domains, found.next)
        }
        if format.json { return console.print { $0.member("domains", domains) } }
        guard !domains.isEmpty else { return console.print("No app has an associated domain.") }
        var table = Table("APP", "ENTRY", "APPROVED", "SITE", "USER", "LAST ASKED", "LAST FAILURE")
        for domain in domains {
            table.add(
                domain.bundleID, domain.name, domain.approved ? "yes" : "no", domain.siteState.words,
                domain.userState.words, domain.lastAttempt?.minute ?? "never", domain.lastFailure ?? "none")
        }
        console.print(table)
    }
}

struct DomainShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what the site and you say of an app, and what became of the last fetch.",
        discussion: """
            Exit status 1: the domain is not the app's.

            Example:
              autofillctl domain show org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let call = DomainGet(bundleID: app, domain: arguments.domain, proof: try proof.proof())
        try await session.call(call).show(on: console, asJSON: format.json)
    }
}

struct DomainRefreshCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Asks the site again now, and shows what became of it.",
        discussion: """
            Exit status 1: the domain is not the app's.

            Example:
              autofillctl domain refresh org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let call = DomainRefresh(bundleID: app, domain: arguments.domain, proof: try proof.proof())
        try await session.call(call).show(on: console, asJSON: format.json)
    }
}

struct DomainApproveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Says that a domain is an app's, in the site's place.",
        discussion: """
            Example:
              autofillctl domain approve org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            DomainApprove(bundleID: app, domain: arguments.domain, proof: try proof.proof()))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

struct DomainDenyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Says that a domain is not an app's, whatever the site says.",
        discussion: """
            Example:
              autofillctl domain deny org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            DomainDeny(bundleID: app, domain: arguments.domain, proof: try proof.proof()))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

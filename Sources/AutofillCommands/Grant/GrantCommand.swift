// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Allows apps what is saved, lists what is allowed, takes it back.",
        discussion: """
            Example:
              autofillctl grant allow org.example.Shop shop.example.com
            """,
        subcommands: [
            GrantAllowCommand.self, GrantDenyCommand.self, GrantListCommand.self, GrantRevokeCommand.self,
        ])
}

struct GrantAllowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allows an app what is saved for a domain, or in its keychain.",
        discussion: """
            Examples:
              autofillctl grant allow org.example.Shop shop.example.com
              autofillctl grant allow org.example.Notes org.example.suite/tokens
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(help: "One of its associated domains, or GROUP/SERVICE of its keychain items.")
    var domain: String

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        // No domain has a slash, and no access group.
        let site =
            domain.contains("/")
            ? ServiceIdentifier(type: "keychain", value: domain)
            : ServiceIdentifier(try DomainName(argument: domain))
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            GrantAllow(bundleID: app.text, service: site, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        for grant in answer.grants where grant.executable.isEmpty {
            console.print(
                "note: any program of yours that says it is \(app) is covered: no executable of root's stands for it")
            break
        }
    }
}

struct GrantDenyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Denies an app what is saved for a domain, and takes back what was allowed.",
        discussion: """
            Example:
              autofillctl grant deny org.example.Shop shop.example.com
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(help: "The domain.")
    var domain: String

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            GrantDeny(
                bundleID: app.text, service: ServiceIdentifier(type: "domain", value: domain.text),
                proof: try proof.proof()))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

struct GrantListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists what is allowed and denied.",
        discussion: """
            Example:
              autofillctl grant list
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let grants = try await session.allGrants(with: try proof.proof())
        if format.json { return console.print { $0.member("grants", grants) } }
        guard !grants.isEmpty else { return console.print("Nothing is allowed or denied.") }
        var table = Table("APP", "DOMAIN", "DECISION", "PROGRAM", "SINCE", "ID")
        for grant in grants {
            table.add(
                grant.bundleID, grant.service.value, grant.decision,
                grant.executable.isEmpty ? "any" : grant.executable,
                grant.created.minute, grant.grant)
        }
        console.print(table)
    }
}

struct GrantRevokeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Takes a grant or a denial back.",
        discussion: """
            Example:
              autofillctl grant revoke grt_…
            """)

    @Argument(help: ArgumentHelp("The grant, from autofillctl grant list.", valueName: "id"))
    var grant: String

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(GrantRevoke(grant: grant, proof: try proof.proof()))
        guard answer.changed else {
            throw CommandFailure(.notFound, "There is no such grant", fix: "See: autofillctl grant list")
        }
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

extension AutofillSession {
    /// All grants and denials.
    func allGrants(with proof: Proof) async throws(CommandFailure) -> [GrantReport] {
        try await PageRequest.all { page throws(CommandFailure) in
            let found = try await call(GrantList(page: page, proof: proof))
            return (found.grants, found.next)
        }
    }
}

extension String {
    /// A time of the wire, to the minute: `2026-11-21 09:30Z`.
    var minute: String {
        guard utf8.count >= 16 else { return self }
        return "\(prefix(10)) \(dropFirst(11).prefix(5))Z"
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantAllowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Lets an app fill what is saved for a domain.",
        usage: """
            autofillctl grant allow [<bundle-id>] <service> [--program <path>] [proof options] [common options]
            """,
        discussion: """
            Examples:
              autofillctl grant allow org.example.Shop shop.example.com
              autofillctl grant allow org.example.Notes org.example.suite/tokens
              autofillctl grant allow --program /bin/geary org.freedesktop.secrets/imported
            """)

    @Argument(help: ArgumentHelp("The app, and then the service.", valueName: "bundle-id"))
    var first: String

    @Argument(
        help: ArgumentHelp(
            "One of its associated domains, or GROUP/SERVICE of its keychain items; a browser's https://example.com; what a "
                + "credential helper was given, as url:TEXT.", valueName: "service"))
    var second: String?

    @Option(
        help: ArgumentHelp(
            "In the app's place an installed program, as it asks through Secret Service; the service is then what it may read: "
                + "org.freedesktop.secrets/ITEM, or /imported for all that was taken over.", valueName: "path"))
    var program: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if program != nil, second != nil { throw ValidationError("Name a bundle ID or a program, not both.") }
        if program == nil, second == nil { throw ValidationError("Name the service, too.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let grantee: GrantAllow.Grantee =
            if let program { .program(path: try absolutePath(program)) } else {
                .app(bundleID: try BundleIdentifier(argument: first).text)
            }
        let site = try ServiceIdentifier(argument: second ?? first)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            GrantAllow(grantee, service: site, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        for grant in answer.grants where grant.executable.isEmpty {
            console.print(
                "note: ",
                hanging:
                    "any program of yours that says it is \(grant.bundleID) is covered: no executable of root's stands for it"
            )
            break
        }
    }
}

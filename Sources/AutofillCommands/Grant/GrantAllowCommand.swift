// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantAllowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Lets an app fill what is saved for a domain.",
        discussion: """
            Examples:
              autofillctl grant allow org.example.Shop shop.example.com
              autofillctl grant allow org.example.Notes org.example.suite/tokens
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(
        help: ArgumentHelp(
            "One of its associated domains, or GROUP/SERVICE of its keychain items; a browser's https://example.com; what a "
                + "credential helper was given, as url:TEXT.", valueName: "service"))
    var domain: String

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        let site = try ServiceIdentifier(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            GrantAllow(bundleID: app.text, service: site, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        for grant in answer.grants where grant.executable.isEmpty {
            console.print(
                "note: ",
                hanging: "any program of yours that says it is \(app) is covered: no executable of root's stands for it"
            )
            break
        }
    }
}

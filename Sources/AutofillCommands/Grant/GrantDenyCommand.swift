// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantDenyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: "Denies an app the credentials of a domain.",
        discussion: """
            Examples:
              autofillctl grant deny org.example.Shop shop.example.com
              autofillctl grant deny org.example.Notes org.example.suite/tokens
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Argument(
        help: ArgumentHelp(
            "The domain, GROUP/NAMESPACE of keychain items, https://example.com or url:TEXT.", valueName: "service"))
    var domain: String

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        let target = try GrantTarget(argument: domain)
        let answer = try await service.call(proof) { GrantDeny(bundleID: app.text, target, proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Denied: \(app), \(target.text)", console)
    }
}

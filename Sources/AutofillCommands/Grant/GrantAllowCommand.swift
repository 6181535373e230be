// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct GrantAllowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allows an app to fill the credentials of a domain.",
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
            "One of its associated domains, or GROUP/SERVICE of its keychain items; a browser's https://example.com; or the string "
                + "that a credential helper received, as url:TEXT.", valueName: "service"))
    var second: String?

    @Option(
        help: ArgumentHelp(
            "Instead of the app: an installed program that uses the Secret Service; the service is then what it may read: "
                + "org.freedesktop.secrets/ITEM, or /imported for all imported items.", valueName: "path"))
    var program: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if program != nil, second != nil { throw ValidationError("Name a bundle ID or a program, not both.") }
        if program == nil, second == nil { throw ValidationError("Name the service as well.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let grantee: GrantAllow.Grantee =
            if let program { .program(path: try absolutePath(program)) } else {
                .app(bundleID: try BundleIdentifier(argument: first).text)
            }
        let site = try ServiceIdentifier(argument: second ?? first)
        let answer = try await service.call(proof) { GrantAllow(grantee, service: site, proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Allowed: \(second == nil ? program ?? "" : first), \(site.value)", console)
        for grant in answer.grants where grant.executable.isEmpty {
            console.print(
                "note: ",
                hanging:
                    "the grant covers every program of yours that connects as \(grant.bundleID): no root-owned registration names its executable"
            )
            break
        }
    }
}

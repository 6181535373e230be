// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainDenyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Denies a domain to an app, whatever the site states.",
        discussion: """
            Example:
              autofillctl domain deny org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let answer = try await service.call(proof) {
            DomainDeny(bundleID: app, domain: .name(arguments.domain), proof: $0)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Denied to \(app): \(arguments.domain)", console)
    }
}

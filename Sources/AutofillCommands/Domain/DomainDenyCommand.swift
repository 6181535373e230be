// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainDenyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Says that a domain is not an app's.",
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
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            DomainDeny(bundleID: app, domain: arguments.domain, proof: try await proof.proof(session)))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainApproveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Says that a domain is an app's, in the site's place.",
        discussion: """
            Example:
              autofillctl domain approve org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            DomainApprove(bundleID: app, domain: arguments.domain, proof: try await proof.proof(session)))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what the site and you say of an app.",
        discussion: """
            Exit status 1: the domain is not the app's.

            Example:
              autofillctl domain show org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let session = try await service.sessionWithOpenVault()
        let call = DomainGet(bundleID: app, domain: arguments.domain, proof: try await proof.proof(session))
        try await session.call(call).show(on: console, asJSON: format.json)
    }
}

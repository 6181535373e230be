// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainRefreshCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Fetches the site's statement now, and shows it.",
        discussion: """
            Exit status 1: the domain is not approved for the app.

            Example:
              autofillctl domain refresh org.example.Shop shop.example.com
            """)

    @OptionGroup var arguments: DomainArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try arguments.app()
        let answer = try await service.call(proof) {
            DomainRefresh(bundleID: app, domain: .name(arguments.domain), proof: $0)
        }
        try answer.show(on: console, asJSON: format.json, isQuiet: format.quiet)
    }
}

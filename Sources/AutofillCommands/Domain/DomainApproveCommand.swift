// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct DomainApproveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approves a domain of an app, instead of the site.",
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
        let answer = try await service.call(proof) {
            DomainApprove(bundleID: app, domain: .name(arguments.domain), proof: $0)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Approved for \(app): \(arguments.domain)", console)
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct GrantRevokeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a grant or a denial.",
        discussion: """
            Example:
              autofillctl grant revoke grt_…
            """)

    @Argument(help: ArgumentHelp("The grant, from autofillctl grant list.", valueName: "id"))
    var grant: String

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) { GrantRevoke(grant: grant, proof: $0) }
        guard answer.changed else {
            throw CommandFailure(.notFound, "There is no such grant", fix: "See: autofillctl grant list")
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Revoked \(grant).", console)
    }
}

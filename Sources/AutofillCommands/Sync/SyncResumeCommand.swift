// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SyncResumeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Decides what counts after a restored backup.",
        discussion: """
            After vault restore, and after a repair that accepts older data, nothing is exchanged until you decide:

              others  what other machines have changed since counts
              vault   what this vault shows counts everywhere; what it lacks is deleted

            Examples:
              autofillctl sync resume others
              autofillctl sync resume vault
            """)

    @Argument(help: ArgumentHelp("What counts: others or vault.", valueName: "side"))
    var counts: SyncResume.Side

    @Flag(help: "Do not ask for confirmation.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        if case .vault = counts {
            try confirm(
                "Let this vault count on every machine? What it lacks is deleted there, and can be restored for a time.",
                unless: yes)
        }
        let answer = try await session.call(SyncResume(counts: counts, proof: proof))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        guard answer.changed else { return format.report("There was nothing to decide.", console) }
        format.report("Sync goes on. What is still missing: autofillctl sync status", console)
    }
}

extension SyncResume.Side: ExpressibleByArgument {}

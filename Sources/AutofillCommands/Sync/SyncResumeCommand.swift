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

            The latter is refused while files are missing that another machine has. If that machine is lost, they may never \
            come: with --accept-missing they are not waited for. What they have counts where it is newer, if a machine \
            publishes it after all.

            Examples:
              autofillctl sync resume others
              autofillctl sync resume vault
            """)

    @Argument(help: ArgumentHelp("What counts: others or vault.", valueName: "side"))
    var counts: SyncResume.Side

    @Flag(help: "With vault: do not wait for files that are missing.") var acceptMissing = false

    @Flag(help: "Do not ask for confirmation.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if acceptMissing, counts != .vault { throw ValidationError("Give --accept-missing with vault alone.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        if case .vault = counts {
            try confirm(
                "Let this vault count on every machine? What it lacks is deleted there, and can be restored for a time."
                    + (acceptMissing ? " What is in missing files alone may come back." : ""),
                unless: yes)
        }
        let call = SyncResume(counts: counts, acceptsMissing: acceptMissing, proof: proof)
        let answer = try await session.call(call)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        guard answer.changed else { return format.report("There was nothing to decide.", console) }
        format.report("Sync continues. What is still missing: autofillctl sync status", console)
    }
}

extension SyncResume.Side: ExpressibleByArgument {}

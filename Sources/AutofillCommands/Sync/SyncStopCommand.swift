// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SyncStopCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stops sync on this machine.",
        discussion: """
            What is saved stays, here and on the other machines. To take part again, this machine has to be invited \
            again, as a new one. Its files stay in the folder; they are useless without the vault of a member. The \
            others still list it: remove it there, autofillctl sync remove.

            Example:
              autofillctl sync stop
            """)

    @Flag(help: "Do not ask for confirmation.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        try confirm("Stop sync on this machine? To take part again it has to be invited again.", unless: yes)
        let answer = try await session.call(SyncStop(proof: proof))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report(
            answer.changed
                ? "Sync has stopped on this machine. Remove it on another one: autofillctl sync remove NAME"
                : "Sync was not started on this machine.", console)
    }
}

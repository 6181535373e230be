// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SyncStartCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Starts sync on the first machine.",
        usage: """
            autofillctl sync start (<folder> | --git <url>) [--name <name>] [proof options] [common options]
            """,
        discussion: """
            Every other machine is invited: autofillctl sync invite here, autofillctl sync join there. A machine that \
            was started by itself cannot be joined with another one: stop sync on one of them first.

            Prints the recovery key of sync once. It can remove any machine from the group, also when the machine that \
            invited it is lost: autofillctl sync recovery. It opens no vault, but whoever has it and the folder can \
            read what is saved. It cannot be replaced.

            Examples:
              autofillctl sync start ~/Sync/passwords
              autofillctl sync start --git ssh://server.example/sync.git --name desktop
            """)

    @OptionGroup var exchange: SyncLocationOptions

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let (location, name) = (try exchange.location(), try exchange.machineName())
        let session = try await service.sessionWithVault()
        let proof = try await proof.secret(session)
        let answer = try await session.call(SyncStart(location: location, name: name, proof: proof))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        console.print("", hanging: "Sync has started on this machine, “\(name.printable)”, over \(location.shown).")
        console.print()
        console.print(recoveryKey: answer.recoveryKey)
        console.print("", hanging: "It is the recovery key of sync: with it any machine can be removed from the group,")
        console.print("", hanging: "also when this one is lost. It opens no vault, but whoever has it and the folder")
        console.print("", hanging: "can read what is saved: keep it where you keep documents.")
        console.print()
        console.print("Next, for each other machine: autofillctl sync invite")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import Reasons

struct SyncRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a machine, and lists what it knew.",
        usage: """
            autofillctl sync remove <machine> [--yes] [proof options] [common options]
            """,
        discussion: """
            What the machine writes from now on does not count, and it cannot open what others write. It keeps all that \
            it had: each password that is saved now is listed, the one that was changed longest ago first, with the \
            page at which it is changed.

            A machine can remove those that came in after it; with the recovery key of sync any machine can be removed: \
            autofillctl sync recovery.

            Example:
              autofillctl sync remove laptop
            """)

    @Argument(help: ArgumentHelp("Its name or id, from autofillctl sync devices.", valueName: "machine"))
    var machine: String

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let removal = try await MachineRemoval(of: machine, service, proof)
        try confirm(removal.question, unless: yes)
        do throws(CommandFailure) { try await removal.perform() } catch {
            // It came in before this one: what else is refused was checked.
            throw error.fixing(
                .deviceNotRemovable,
                "Remove it with the recovery key of sync: autofillctl sync recovery \(machine.printable.shellQuoted). "
                    + "Or remove it on a machine that came in before it")
        }
        try await removal.report(format, console)
    }
}

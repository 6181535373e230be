// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import SecretMemory

struct SyncRecoveryCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "Removes any machine by the recovery key of sync.",
        usage: """
            autofillctl sync recovery <machine> [--sync-recovery-key-fd <n>] [--yes] [proof options] [common options]
            """,
        discussion: """
            For a machine that autofillctl sync remove cannot remove, because it came in before this one: such as the \
            stolen one that has let this one in. The key is the one that autofillctl sync start has shown. It is asked \
            for after the passphrase or key of this vault. What the machine knew is listed, as by autofillctl sync \
            remove.

            The key opens no vault. Whoever has it and the folder can read what is saved; autofillctl has no command \
            for that. It cannot be replaced. If it is lost, or others may have it: autofillctl sync stop on each \
            machine, autofillctl sync start with a new folder on one, which shows a new key, and invite the others.

            Example:
              autofillctl sync recovery desktop
            """)

    @Argument(help: ArgumentHelp("Its name or id, from autofillctl sync devices.", valueName: "machine"))
    var machine: String

    @Option(
        name: .customLong("sync-recovery-key-fd"),
        help: ArgumentHelp("The recovery key of sync: first line of descriptor n.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    @Flag(help: "Do not ask for confirmation. The keys are still needed.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let removal = try await MachineRemoval(of: machine, service, proof)
        try confirm(removal.question, unless: yes)
        try await removal.perform(with: try recoveryKey())
        try await removal.report(format, console)
    }

    private func recoveryKey() throws(CommandFailure) -> SecretBytes {
        if let recoveryKeyDescriptor {
            return try HiddenInput.read(descriptor: recoveryKeyDescriptor, limit: Limits.recoveryKeyBytes)
        }
        return try HiddenInput.ask(
            "Recovery key of sync: ", limit: Limits.recoveryKeyBytes, elsewhere: "Add --sync-recovery-key-fd N")
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons
import SecretMemory

struct SyncRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a machine, and lists what it knew.",
        usage: """
            autofillctl sync remove <machine> [--sync-recovery-key] [--sync-recovery-key-fd <n>] [--yes] [proof options] \
            [common options]
            """,
        discussion: """
            What the machine writes from now on does not count, and it cannot open what others write. It keeps all that \
            it had: each password that is saved now is listed, the one that was changed longest ago first, with the \
            page at which it is changed.

            A machine can remove those that came in after it. The recovery key of sync, which autofillctl sync start \
            showed, can remove any.

            Examples:
              autofillctl sync remove laptop
              autofillctl sync remove desktop --sync-recovery-key
            """)

    @Argument(help: ArgumentHelp("Its name or id, from autofillctl sync devices.", valueName: "machine"))
    var machine: String

    @Flag(help: "Ask for the recovery key of sync.") var syncRecoveryKey = false

    @Option(
        name: .customLong("sync-recovery-key-fd"),
        help: ArgumentHelp("The recovery key of sync: first line of descriptor n.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func validate() throws {
        if syncRecoveryKey, recoveryKeyDescriptor != nil {
            throw ValidationError("Give --sync-recovery-key or --sync-recovery-key-fd, not both.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithVault()
        let secret = try await proof.secret(session)
        let proof = try await session.further(secret)
        let device = try await device(session, proof)
        try confirm(
            "Remove “\(device.label)”? What it writes from now on does not count; what it has it keeps.", unless: yes)
        let call = SyncRemove(device: device.device, recoveryKey: try recoveryKey(), proof: secret)
        do throws(CommandFailure) { _ = try await session.call(call) } catch {
            guard call.recoveryKey == nil, error.problems.first?.code == Reason.deviceNotRemovable.rawValue else {
                throw error
            }
            throw error.adding("The recovery key of sync can remove any machine", fix: "Add --sync-recovery-key")
        }
        let passwords = try await ExposedPassword.all(session, with: proof)
        if format.json {
            return console.print { writer in
                writer.member("device", device.device)
                writer.member("changed", true)
                writer.key("passwords")
                writer.array { writer in for password in passwords { writer.object { password.write(to: &$0) } } }
            }
        }
        report(device, passwords, console)
    }

    private func device(_ session: AutofillSession, _ proof: Proof) async throws(CommandFailure) -> SyncDevice {
        let status = try await session.call(SyncStatus(proof: proof))
        guard status.state != .off else { throw CommandFailure(Refusal(.syncOff)) }
        let device = try status.devices.named(machine)
        guard !device.isThis else {
            throw CommandFailure(
                .refused, "“\(device.label)” is this machine",
                fix: "Remove it on another machine; to stop sync here: autofillctl sync stop")
        }
        guard device.isMember else {
            throw CommandFailure(
                .refused, "“\(device.label)” was removed before", fix: "See the machines: autofillctl sync devices")
        }
        return device
    }

    private func recoveryKey() throws(CommandFailure) -> SecretBytes? {
        if let recoveryKeyDescriptor {
            return try HiddenInput.read(descriptor: recoveryKeyDescriptor, limit: Limits.recoveryKeyBytes)
        }
        guard syncRecoveryKey else { return nil }
        return try HiddenInput.ask(
            "Recovery key of sync: ", limit: Limits.recoveryKeyBytes, elsewhere: "Add --sync-recovery-key-fd N")
    }

    private func report(_ device: SyncDevice, _ passwords: [ExposedPassword], _ console: Console) {
        console.print("“\(device.label)” was removed.")
        guard !passwords.isEmpty else { return console.print("No password is saved that it could know.") }
        console.print()
        console.print(
            "",
            hanging: "It may know \(passwords.count.counted("password")), and former ones. If others may have the "
                + "machine, change them; those changed longest ago are first:")
        for password in passwords {
            let owner = password.user.isEmpty ? "" : " (\(password.user.printable))"
            console.print()
            console.print(console.styled(password.service.printable, .bold) + owner + ", \(password.modified.minute)")
            if let address = password.changePassword { console.print("  Change it: \(address.printable)") }
        }
    }
}

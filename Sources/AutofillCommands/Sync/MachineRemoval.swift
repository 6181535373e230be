// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons
import SecretMemory

/// Removes a machine from the group, and prints what it knew.
struct MachineRemoval {
    let device: SyncDevice
    /// Other ids with the same name: of another machine, or of this one from before a restore.
    private let namesakes: [SyncDevice]
    private let session: AutofillSession
    private let secret: Proof
    private let proof: Proof

    /// - Parameter name: the machine's name or id, as the user typed it.
    init(
        of name: String, _ service: ServiceOptions, _ options: SecretProofOptions
    ) async throws(CommandFailure) {
        session = try await service.sessionWithVault()
        secret = try await options.secret(session)
        proof = try await session.further(secret)
        let status = try await session.call(SyncStatus(proof: proof))
        guard status.state != .off else { throw CommandFailure(Refusal(.syncOff)) }
        let device = try status.devices.named(name)
        guard !device.isThis else {
            throw CommandFailure(
                .refused, "“\(device.label)” is this machine",
                fix: "Remove it on another machine; to stop sync here: autofillctl sync stop")
        }
        guard device.isMember else {
            throw CommandFailure(
                .refused, "“\(device.label)” was removed before", fix: "See the machines: autofillctl sync devices")
        }
        self.device = device
        namesakes = status.devices.filter { other in
            other.isMember && !other.isThis && other.device != device.device && !other.name.isEmpty
                && other.name == device.name
        }
    }

    var question: String {
        "Remove “\(device.label)”? What it writes from now on does not count; what it has it keeps."
    }

    /// - Parameter recoveryKey: as the user typed it; nil: this machine removes it by its own right.
    func perform(with recoveryKey: SecretBytes? = nil) async throws(CommandFailure) {
        _ = try await session.call(SyncRemove(device: device.device, recoveryKey: recoveryKey, proof: secret))
    }

    func report(_ format: ResultFormat, _ console: Console) async throws(CommandFailure) {
        let passwords = try await ExposedPassword.all(session, with: proof)
        if format.json {
            return console.print { writer in
                writer.member("device", device.device)
                writer.member("changed", true)
                writer.key("passwords")
                writer.array { writer in for password in passwords { writer.object { password.write(to: &$0) } } }
            }
        }
        console.print("“\(device.label)” was removed.")
        for other in namesakes {
            console.print(
                "",
                hanging: "\(other.device) has the same name, and stays. If it is the same machine, which has two ids "
                    + "after a restore, remove it too: autofillctl sync remove \(other.device)")
        }
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

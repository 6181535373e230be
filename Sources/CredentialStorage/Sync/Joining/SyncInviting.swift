// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
package import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// An invitation by this machine: in memory only, for fifteen minutes, for one machine.
package struct SyncInviting: Sendable {
    private var invitation: Invitation
    private let device: DeviceID

    /// Draws a code, and puts the invitation where the carrier takes it.
    ///
    /// - Parameter now: of the steady clock.
    package init(in vault: Vault, to spool: SyncSpool, now: Timestamp) throws(SyncFailure) {
        let sync = try vault.sync
        invitation = try sync.invite(at: now.milliseconds)
        guard let device = sync.device else { throw .notStarted }
        self.device = device
        spool.removeInvitations(of: device, in: invitation.group)
        do throws(VaultError) {
            try spool.putInvitation(invitation.file, id: invitation.id, of: device, in: invitation.group)
        } catch { throw .vault(error) }
    }

    /// The name of its file.
    package var id: UInt128 { invitation.id }

    /// What is typed on the new machine, in groups.
    package var code: SecretBytes { invitation.code.grouped }

    /// The machine that has answered; nil: none yet. Two different answers end the invitation.
    package mutating func answer(
        in spool: SyncSpool, now: Timestamp
    ) throws(InvitationError) -> InvitationAnswer? {
        try invitation.read(spool.answers(in: invitation.group), now: now.milliseconds)
    }

    /// Ends it: the machine is let in, or was refused.
    package mutating func finish(in spool: SyncSpool) {
        invitation.finish()
        withdraw(from: spool)
    }

    /// Removes it from the folder.
    package func withdraw(from spool: SyncSpool) {
        spool.removeInvitation(id, of: device, in: invitation.group)
    }
}

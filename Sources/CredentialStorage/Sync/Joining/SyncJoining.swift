// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// A machine that was invited, until it is a member: in memory only.
package struct SyncJoining: Sendable {
    /// What it waits for.
    package enum Stage: Sendable { case invitation, admission }

    package private(set) var stage = Stage.invitation
    private let keys: KeyPairs
    private let code: SecretBytes
    private let deviceName: String
    private var invitation: ReceivedInvitation?
    private let began: Timestamp

    /// Throws `codeMistyped`.
    ///
    /// - Parameters:
    ///   - code: as the user typed it.
    ///   - now: of the steady clock.
    package init(
        code: SecretBytes, deviceName: String, in vault: Vault, now: Timestamp
    ) throws(InvitationError) {
        guard WrittenKey(typed: code) != nil else { throw .codeMistyped }
        do throws(KeyFailure) { keys = try KeyPairs.random(using: &vault.store.entropy) } catch { throw .keys }
        self.code = code
        self.deviceName = deviceName
        began = now
    }

    /// Whether no invitation that was valid then is valid any more, and what was decided has had time to arrive.
    package func hasEnded(at now: Timestamp) -> Bool {
        now.milliseconds - began.milliseconds >= 2 * Invitation.validMilliseconds
    }

    /// The id of this machine, and of the group once an invitation was read: what the carrier is to bring.
    package var device: DeviceID { keys.publicKeys.device }
    package var group: GroupID? { invitation?.group }
    /// The user's name for the machine that invites.
    package var inviter: String? { invitation?.deviceName }

    /// Reads what has arrived, and answers the invitation that the code opens. Others' invitations are ignored.
    ///
    /// - Returns: whether it was found now.
    package mutating func answer(in spool: SyncSpool) throws(SyncFailure) -> Bool {
        guard invitation == nil else { return false }
        for (_, bytes) in spool.invitations() {
            let read: ReceivedInvitation
            do throws(InvitationError) { read = try ReceivedInvitation(bytes, typed: code) } catch {
                if case .newerFormat = error { throw .invitation(error) }
                continue
            }
            let answer: [UInt8]
            do throws(InvitationError) { answer = try read.answer(by: keys, named: deviceName) } catch {
                throw .invitation(error)
            }
            do throws(VaultError) {
                try spool.putAnswer(answer, id: read.id, of: keys.publicKeys.device, in: read.group)
            } catch { throw .vault(error) }
            invitation = read
            stage = .admission
            return true
        }
        return false
    }

    /// Starts sync in the vault once a member has let this machine in.
    ///
    /// - Returns: whether it has.
    package func begin(in vault: Vault, from spool: SyncSpool, at now: Timestamp) throws(SyncFailure) -> Bool {
        guard let invitation, let members = StoredSync.joined(invitation, keys: keys, files: spool) else {
            return false
        }
        try vault.sync.start(
            keys, members, deviceName: deviceName, expecting: invitation.vector, at: now)
        spool.removeAnswers(of: keys.publicKeys.device, in: invitation.group)
        return true
    }
}

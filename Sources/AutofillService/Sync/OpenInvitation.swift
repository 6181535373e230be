// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import SecretMemory
internal import SyncFiles

/// The invitation of one connection. Its file is in the spool no longer than it is valid: until its time is over, or the connection or
/// the lock of the vault releases it.
final class OpenInvitation {
    private var inviting: SyncInviting
    private let spool: SyncSpool
    private var timer: LoopTimer?

    /// - Parameter inviting: has been put into the spool.
    init(_ inviting: SyncInviting, in spool: SyncSpool, on loop: EventLoop) {
        (self.inviting, self.spool) = (inviting, spool)
        timer = LoopTimer(on: loop) { [unowned self] in withdraw() }
        timer?.schedule(after: .milliseconds(Limits.invitationMilliseconds))
    }

    deinit { inviting.withdraw(from: spool) }

    /// The name of its file.
    var id: UInt128 { inviting.id }

    var code: SecretBytes { inviting.code }

    /// The machine that has answered; nil: none yet.
    ///
    /// - Parameter now: of the steady clock.
    func answer(now: Timestamp) throws(InvitationError) -> InvitationAnswer? {
        do throws(InvitationError) { return try inviting.answer(in: spool, now: now) } catch {
            withdraw()
            throw error
        }
    }

    /// Ends it: the machine is let in, or was refused.
    func finish() { inviting.finish(in: spool) }

    private func withdraw() { inviting.withdraw(from: spool) }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
package import SecretMemory
internal import SyncFiles
internal import SyncMerge

/// Inviting another machine, by one connection.
extension SyncMembership {
    /// Draws a code for one machine; an earlier invitation ends.
    package func invite(_ request: RequestContext) async throws(RefusedRequest) -> SecretBytes {
        let spool = try requireSpool()
        exchange.noteBeginning()
        defer { exchange.noteBegun() }
        let now = clock.steady
        let inviting = try await work(request) { vault throws(SyncFailure) in
            try SyncInviting(in: vault, to: spool, now: now)
        }
        let invitation = exchange.keep(inviting, in: spool)
        // A lock that came meanwhile ends it.
        guard care.keeper.opened?.state == .unlocked else { throw RefusedRequest(.vaultLocked) }
        request.session.memory.invitation = invitation
        return invitation.code
    }

    /// The machine that has answered the invitation of this connection; nil: none yet.
    package func answer(_ request: RequestContext) throws(RefusedRequest) -> (device: String, name: String)? {
        guard let answer = try readAnswer(request) else { return nil }
        return (answer.publicKeys.device.hexadecimal, answer.deviceName)
    }

    private func readAnswer(_ request: RequestContext) throws(RefusedRequest) -> InvitationAnswer? {
        _ = try requireSpool()
        guard let invitation = request.session.memory.invitation else {
            throw RefusedRequest(
                .invitationNotValid,
                [.detail: "Invite a machine first: this connection has not, or the vault was locked since"])
        }
        do throws(InvitationError) { return try invitation.answer(now: clock.steady) } catch {
            throw RefusedRequest([error.refusal])
        }
    }

    /// Lets the machine in that has answered, or refuses it. Either ends the invitation.
    package func admit(
        _ device: String, accepts: Bool, _ request: RequestContext
    ) async throws(RefusedRequest) -> Bool {
        _ = try requireSpool()
        try await awaitVault()
        guard let answer = try readAnswer(request), answer.publicKeys.device.hexadecimal == device else {
            throw .invalid("device", "the machine that admin.sync.answer returned")
        }
        request.session.memory.invitation?.finish()
        request.session.memory.invitation = nil
        let now = clock.now
        if accepts {
            do throws(Refusal) { try audit.releaseAll(to: "the machine \(device)", request) } catch {
                throw RefusedRequest([error])
            }
        }
        try await work(request) { vault throws(SyncFailure) in
            if accepts { try vault.sync.admit(answer, at: now) }
        }
        log(accepts ? "A machine was let into sync" : "A machine was not let into sync")
        exchange.exchangeNow()
        return accepts
    }
}

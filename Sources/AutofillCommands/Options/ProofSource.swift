// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons

/// Options that name the proof of a call.
protocol ProofSource {
    /// Whether the options have one.
    var isNamed: Bool { get }

    /// The proof in the options; nil if the passphrase is to be typed.
    func given() throws(CommandFailure) -> Proof?
}

extension ProofSource {
    /// The proof, from the options, else from the terminal: a passphrase that was typed there earlier is used while the
    /// service accepts it, and one that is typed now stays valid there for the next commands. A locked vault is unlocked.
    func proof(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        if session.greeting.vault == .locked { return try await unlockInPassing(session).proof }
        if let given = try given() { return given }
        if Terminal.isThere, try await session.hasTerminalProof() { return .terminal }
        let typed = try await self.typed(session)
        return try await session.hasTerminalProof() ? .terminal : typed
    }

    /// The same if only the secret itself is accepted.
    func secret(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        if session.greeting.vault == .locked { return try await unlockInPassing(session).secret }
        if let given = try given() { return given }
        return try await typed(session)
    }

    private func unlockInPassing(
        _ session: AutofillSession
    ) async throws(CommandFailure) -> (proof: Proof, secret: Proof) {
        guard Terminal.isThere || isNamed else { throw CommandFailure(Refusal(.vaultLocked)) }
        let unlocked = try await unlock(session)
        for notice in unlocked.answer.notices { Console.ofThisProcess().printError(notice) }
        return (unlocked.proof, unlocked.secret)
    }

    /// Unlocks the vault.
    ///
    /// - Returns: the proof for further calls, and the secret that it was unlocked with, which is a proof too.
    func unlock(
        _ session: AutofillSession
    ) async throws(CommandFailure) -> (proof: Proof, secret: Proof, answer: VaultUnlock.Answer) {
        if let given = try given() {
            if case .prompt = given { return (given, given, try await session.call(VaultUnlock())) }
            return (given, given, try await session.call(VaultUnlock(proof: given)))
        }
        var answer = VaultUnlock.Answer(changed: false, findings: 0)
        let typed = try await PassphraseDialogue.ask { typed throws(CommandFailure) in
            answer = try await session.call(VaultUnlock(proof: .typedPassphrase(typed)))
        }
        let secret = Proof.typedPassphrase(typed)
        return (try await session.hasTerminalProof() ? .terminal : secret, secret, answer)
    }

    private func typed(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        .typedPassphrase(
            try await PassphraseDialogue.ask { typed throws(CommandFailure) in
                _ = try await session.call(SlotList(proof: .typedPassphrase(typed)))
            })
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Prompting
internal import Reasons
internal import SecretMemory

/// Opening the vault with a passphrase that the person gives to a prompt, once for all who wait.
extension Authoriser {
    /// What a request gets that needs the vault, and finds it locked: it waits until somebody opens it, or the reason.
    func awaitingUnlock(
        _ request: RequestContext, _ interaction: Interaction, _ names: [Refusal.Parameter: String] = [:]
    ) -> RefusedRequest {
        guard interaction == .allow, prompts.canGivePassphrase, vault.opensByPassphrase else {
            return RefusedRequest(.vaultLocked, names)
        }
        if let wait = prompts.denials.remaining(of: .unlock(request.session.account), at: clock.steady.milliseconds) {
            return RefusedRequest([Refusal(.vaultLocked, names, retryAfterMilliseconds: wait)])
        }
        return .waits(on: .unlock)
    }

    /// The same for a refusal: where nothing but the lock stands against a request that may ask the person, it waits.
    func waitingForUnlock(_ error: RefusedRequest, _ request: RequestContext) -> RefusedRequest {
        guard case .refused(let refusals) = error, refusals.count == 1, let locked = refusals.first,
            locked.reason == .vaultLocked, request.mayPrompt
        else { return error }
        return awaitingUnlock(request, request.interaction, locked.parameters)
    }

    /// The vault, unlocked, or what a request gets while it is not.
    func openVault(_ request: RequestContext, _ interaction: Interaction) throws(RefusedRequest) -> Vault {
        if vault.fact == .locked { throw awaitingUnlock(request, interaction) }
        return try vault.unlocked()
    }

    /// Waits until the vault is unlocked.
    func awaitUnlock(
        _ request: RequestContext, within limit: Duration, _ derivations: KeyDerivations
    ) async throws(RefusedRequest) {
        weak let own = self
        let (evidence, window) = (evidence(of: request.session), request.place.page.parentWindow)
        try await prompts.awaitUnlock(of: request.session.asker, within: limit) {
            await own?.promptForPassphrase(evidence, window, derivations) ?? .notUnlocked
        }
    }

    /// Asks for the passphrase until it is right, a few times at most; after a wrong one it waits as long as the vault says.
    private func promptForPassphrase(
        _ asker: PromptedEvidence, _ window: String?, _ derivations: KeyDerivations
    ) async -> PromptDesk.UnlockOutcome {
        for tried in 0..<Limits.passphraseTries {
            let prompt = Prompt(
                title: "Password AutoFill",
                description:
                    "\(asker.name) asks for what is in your vault. Enter its passphrase to unlock it.\n\n\(asker.lines)",
                kind: .passphrase(error: tried > 0 ? "That passphrase does not open the vault." : nil),
                parentWindow: window)
            switch await prompts.person.givePassphrase(prompt) {
            case .passphrase(let passphrase):
                let holds = vault.lockState.holds
                guard let outcome = await derive(from: passphrase, derivations) else { return .notUnlocked }
                do throws(VaultError) {
                    _ = try vault.unlock(with: outcome, givenUnder: holds)
                    return .unlocked
                } catch {
                    // Whatever else keeps it shut is no fault of what was typed.
                    guard case .wrongSecret = error else { return .notUnlocked }
                }
            case .unavailable, .withdrawn: return .notUnlocked
            case .declined, .timedOut, .confirmed: return declined()
            }
        }
        return declined()
    }

    /// By the person's own choice, which then holds for a while.
    private func declined() -> PromptDesk.UnlockOutcome {
        if !Task.isCancelled { prompts.noteUnlockDeclined() }
        return .notUnlocked
    }

    /// Tries a passphrase once the vault takes another try; nil where it takes none.
    private func derive(from passphrase: SecretBytes, _ derivations: KeyDerivations) async -> CredentialStorage
        .UnlockOutcome?
    {
        while !Task.isCancelled {
            guard let open = vault.opened else { return nil }
            do throws(VaultError) {
                let attempt = try open.slots.attempt(
                    .passphrase(passphrase), slot: nil, from: .prompt, at: clock.steady)
                return await derivations.derive { attempt.derive() }
            } catch {
                guard case .tooSoon(let delay) = error else { return nil }
                guard await derivations.pause(milliseconds: delay) else { return nil }
            }
        }
        return nil
    }
}

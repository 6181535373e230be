// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Prompting
internal import Reasons
internal import SecretMemory

/// Opens the vault with a passphrase that the user gives to a prompt, once for all who wait.
final class VaultUnlocker {
    private let vault: VaultKeeper
    private let prompts: PromptQueue
    private let questions: ConsentQuestions
    private let derivations: KeyDerivations

    init(
        _ vault: VaultKeeper, _ prompts: PromptQueue, _ questions: ConsentQuestions, _ derivations: KeyDerivations
    ) {
        self.vault = vault
        self.prompts = prompts
        self.questions = questions
        self.derivations = derivations
    }

    private var clock: ServiceClock { vault.clock }

    /// What a request gets that needs the vault, and finds it locked: it waits until the vault is opened, or the reason.
    func awaitingUnlock(
        _ request: RequestView, _ interaction: Interaction, _ names: [Refusal.Parameter: String] = [:]
    ) -> Unsettled {
        guard interaction == .allow, prompts.canGivePassphrase, vault.opensByPassphrase else {
            return Unsettled(.vaultLocked, names)
        }
        if let wait = prompts.remaining(of: request.peer.unlockDenial) {
            return Unsettled([Refusal(.vaultLocked, names, retryAfterMilliseconds: wait)])
        }
        return .waits(for: .unlock)
    }

    /// The same for a refusal: where only the lock refuses a request that may ask the user, it waits.
    func waitingForUnlock(_ error: Unsettled, _ request: RequestView) -> Unsettled {
        guard error.isOnly(.vaultLocked), let locked = error.refusals?.first, request.mayPrompt else { return error }
        return awaitingUnlock(request, request.interaction, locked.parameters)
    }

    /// Throws what a request gets while the vault is not open.
    func requireOpenVault(_ request: RequestView, _ interaction: Interaction) throws(Unsettled) {
        if vault.fact == .locked { throw awaitingUnlock(request, interaction) }
        _ = try vault.unlocked()
    }

    /// Waits until the vault is unlocked.
    func awaitUnlock(_ request: RequestContext, within limit: Duration) async throws(RefusedRequest) {
        weak let own = self
        let (evidence, window) = (questions.evidence(of: request.view), request.notes.page.parentWindow)
        let session = request.session
        try await prompts.awaitUnlock(of: session.requester, as: session.peer.unlockDenial, within: limit) {
            await own?.promptForPassphrase(evidence, window) ?? .notUnlocked
        }
    }

    /// Asks for the passphrase until it is right, a few times at most; after a wrong one it waits as long as the vault requires.
    private func promptForPassphrase(
        _ requester: PromptedEvidence, _ window: String?
    ) async -> PromptQueue.UnlockOutcome {
        for tried in 0..<Limits.passphraseTries {
            let prompt = Prompt(
                title: ConsentQuestion.title,
                description:
                    "\(requester.name) requests data from your vault. Enter its passphrase to unlock it.\n\n"
                    + requester.lines,
                kind: .passphrase(error: tried > 0 ? "That passphrase does not open the vault." : nil),
                parentWindow: window)
            switch await prompts.givePassphrase(prompt) {
            case .passphrase(let passphrase):
                let holds = vault.lockState.holds
                let derived: UnlockOutcome?
                do throws(WaitFailure) { derived = try await derive(from: passphrase) } catch {
                    return error == .cancelled ? .notUnlocked : .busy
                }
                guard let outcome = derived else { return .notUnlocked }
                do throws(VaultError) {
                    _ = try vault.unlock(with: outcome, givenUnder: holds)
                    return .unlocked
                } catch {
                    // Whatever else keeps it locked is no fault of what was typed.
                    guard case .wrongSecret = error else { return .notUnlocked }
                }
            case .unavailable, .withdrawn: return .notUnlocked
            case .declined, .timedOut, .confirmed, .answered: return declined()
            }
        }
        return declined()
    }

    /// By the user's own choice, which then holds for a while.
    private func declined() -> PromptQueue.UnlockOutcome {
        if !Task.isCancelled { prompts.noteUnlockDeclined() }
        return .notUnlocked
    }

    /// Tries a passphrase once the vault accepts another try; nil where it accepts none.
    private func derive(from passphrase: SecretBytes) async throws(WaitFailure) -> UnlockOutcome? {
        while !Task.isCancelled {
            guard let open = vault.opened else { return nil }
            let attempt: UnlockAttempt
            do throws(VaultError) {
                attempt = try open.slots.attempt(.passphrase(passphrase), slot: nil, from: .prompt, at: clock.steady)
            } catch {
                guard case .tooSoon(let delay) = error else { return nil }
                guard await derivations.pause(milliseconds: delay) else { return nil }
                continue
            }
            return try await derivations.derive { attempt.derive() }
        }
        return nil
    }
}

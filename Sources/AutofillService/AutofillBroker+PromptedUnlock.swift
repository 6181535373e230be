// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
package import CredentialStorage
internal import Credentials
package import Prompting
internal import Reasons
package import SecretMemory

/// Opening the vault with a passphrase that the person gives to a prompt, once for all who wait.
extension AutofillBroker {
    /// What a request gets that needs the vault, and finds it locked: it waits until somebody opens it, or the reason.
    func awaitingUnlock(_ interaction: Interaction, _ names: [Refusal.Parameter: String] = [:]) -> RefusedRequest {
        guard interaction == .allow, configuration.consent.canGivePassphrase, vault.opensByPassphrase else {
            return RefusedRequest(.vaultLocked, names)
        }
        if let wait = denials.remaining(of: .unlock, at: now) {
            return RefusedRequest([Refusal(.vaultLocked, names, retryAfterMilliseconds: wait)])
        }
        return .waits(on: .unlock)
    }

    /// The same for a refusal: where nothing but the lock stands against the call, and it may wait, it does.
    func waiting<Call: MethodCall>(for call: Call, _ error: RefusedRequest) -> RefusedRequest {
        guard case .refused(let refusals) = error, refusals.count == 1, let locked = refusals.first,
            locked.reason == .vaultLocked, let interaction = (call as? any InteractingCall)?.interaction
        else { return error }
        return awaitingUnlock(interaction, locked.parameters)
    }

    /// The vault, unlocked, or what a request gets while it is not.
    func openVault(_ interaction: Interaction) throws(RefusedRequest) -> Vault {
        if vault.fact == .locked { throw awaitingUnlock(interaction) }
        return try vault.unlocked()
    }

    /// What asks for the passphrase. `isWrong`: the one before was.
    package func unlockPrompt(isWrong: Bool) -> Prompt {
        Prompt(
            title: "Password AutoFill",
            description: "An app asks for a password. Enter the passphrase of your vault to unlock it.",
            kind: .passphrase(error: isWrong ? "That passphrase does not open the vault." : nil))
    }

    /// The slow part of trying a passphrase.
    package func unlockAttempt(with passphrase: SecretBytes) throws(VaultError) -> UnlockAttempt {
        guard let open = vault.opened else { throw .missing }
        return try open.attempt(.passphrase(passphrase), slot: nil, at: now)
    }

    /// Opens the vault with what the attempt came to; all that waits for it goes on.
    package func unlock(with outcome: UnlockOutcome) throws(VaultError) {
        guard let open = vault.opened else { throw .missing }
        guard case .locked = open.state else { return end(.unlock) }
        vaultWasUnlocked(try open.unlock(with: outcome, at: now).findings)
    }

    /// The person did not open it. `isDeclined`: by their own choice, which then holds for a while.
    package func concludeUnlock(isDeclined: Bool) {
        if isDeclined { denials.note(.unlock, at: now) }
        end(.unlock, refusing: [Refusal(.vaultLocked)])
    }

    /// Whoever opened it: what waits for that goes on, and its prompt goes away.
    func vaultWasUnlocked(_ findings: [VaultFinding] = []) {
        generation += 1
        forgetReplacedVault()
        noteUnlock(findings)
        denials.forget { $0 == .unlock }
        end(.unlock)
    }
}

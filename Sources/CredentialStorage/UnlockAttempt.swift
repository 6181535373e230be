// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A secret and the slots it may open, cut loose from the vault, so that the key derivation can run anywhere.
package struct UnlockAttempt: Sendable {
    let secret: VaultSecret
    let slots: [SlotRow]
    var place = GuessPlace.request

    /// The slots that are tried: those that are sound and, as what they cost stands in the file under no key, only what a vault
    /// is made with, and so much in all that an attempt ends.
    var tryable: [SlotRow] {
        var passes = 0
        return slots.filter { slot in
            guard slot.isSound else { return false }
            guard let cost = slot.passphraseCost else { return true }
            guard cost.isAcceptable, passes + Int(cost.p) <= VaultLimits.passesAtOnce else { return false }
            passes += Int(cost.p)
            return true
        }
    }

    /// Tries the slots in turn. Slow for a passphrase: one key derivation a slot; for another thread than the event loop.
    package func derive() -> UnlockOutcome {
        defer { StackResidue.wipe() }
        var tried: [Slot.ID] = []
        for slot in tryable {
            tried.append(slot.id)
            if let key = try? secret.wrappingKey(salt: slot.salt, cost: slot.passphraseCost),
                let vaultKey = try? slot.unwrap(with: key)
            {
                return UnlockOutcome(opened: .init(slot: slot, vaultKey: vaultKey), tried: tried, place: place)
            }
        }
        let untried = slots.first { !$0.isSound } ?? slots.first { !tried.contains($0.id) }
        let fault = untried.map { $0.isSound ? VaultError.slotTooCostly($0.id) : .slotDamaged($0.id) }
        return UnlockOutcome(opened: nil, tried: tried, place: place, fault: fault)
    }
}

/// What an attempt came to; for `Vault.unlock` or `Vault.verify`.
package struct UnlockOutcome: Sendable {
    struct Opened: Sendable {
        let slot: SlotRow
        let vaultKey: SecretBytes
    }

    let opened: Opened?
    /// The slots that were tried, the one that opened last.
    let tried: [Slot.ID]
    let place: GuessPlace
    /// Why a slot was not tried that this may be the secret of.
    var fault: VaultError?
}

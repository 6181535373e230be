// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A secret and the slots it may open, cut loose from the vault, so that the key derivation can run anywhere.
package struct UnlockAttempt: Sendable {
    let secret: VaultSecret
    let slots: [SlotRow]

    /// Tries the slots in turn. Slow for a passphrase: one key derivation a slot; for another thread than the event loop.
    package func derive() -> UnlockOutcome {
        defer { StackResidue.wipe() }
        var tried: [Slot.ID] = []
        for slot in slots where slot.isSound {
            tried.append(slot.id)
            if let key = try? secret.wrappingKey(salt: slot.salt, cost: slot.passphraseCost),
                let vaultKey = try? slot.unwrap(with: key)
            {
                return UnlockOutcome(opened: .init(slot: slot, vaultKey: vaultKey), tried: tried, damaged: [])
            }
        }
        return UnlockOutcome(opened: nil, tried: tried, damaged: slots.filter { !$0.isSound }.map(\.id))
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
    /// Slots that could not be tried, because they are damaged.
    let damaged: [Slot.ID]
}

// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
package import VaultFormat

/// A secret and the slots it may open, without the vault, so that the key derivation can run on any thread.
package struct UnlockAttempt: Sendable {
    let secret: VaultSecret
    let slots: [SlotRow]
    var origin = GuessOrigin.request

    /// The slots that are tried: those that are intact and cost no more than what a vault is made with, as their cost is in the file
    /// without a key; and so much in all that an attempt ends.
    var tryable: [SlotRow] {
        var passes = 0
        return slots.filter { slot in
            guard slot.isIntact else { return false }
            guard let cost = slot.passphraseCost else { return true }
            guard cost.isAcceptable, passes + Int(cost.p) <= VaultLimits.passesAtOnce else { return false }
            passes += Int(cost.p)
            return true
        }
    }

    /// Tries the slots in order. Slow for a passphrase: one key derivation per slot. Not for the event loop's thread.
    package func derive() -> UnlockOutcome {
        defer { StackResidue.wipe() }
        var tried: [Slot.ID] = []
        for slot in tryable {
            tried.append(slot.id)
            if let key = try? secret.wrappingKey(salt: slot.salt, cost: slot.passphraseCost),
                let vaultKey = try? slot.unwrap(with: key)
            {
                return UnlockOutcome(opened: OpenedSlot(slot: slot, vaultKey: vaultKey), tried: tried, origin: origin)
            }
        }
        let untried = slots.first { !$0.isIntact } ?? slots.first { !tried.contains($0.id) }
        let fault = untried.map { $0.isIntact ? VaultError.slotTooCostly($0.id) : .slotDamaged($0.id) }
        return UnlockOutcome(opened: nil, tried: tried, origin: origin, fault: fault)
    }
}

extension UnlockAttempt {
    /// Prepares an attempt at those of the slots that this kind of secret may open; throws `noSuchSlot` where there is none.
    package init(_ secret: VaultSecret, at slots: () throws(VaultError) -> [SlotRow]) throws(VaultError) {
        try secret.checkForm()
        let slots = try slots().filter { $0.kind == secret.kind.rawValue }
        guard !slots.isEmpty else { throw .noSuchSlot }
        self.init(secret: secret, slots: slots)
    }
}

/// The result of an attempt; for `Vault.unlock` or `Vault.verify`.
package struct UnlockOutcome: Sendable {
    /// nil where the secret opened none.
    package let opened: OpenedSlot?
    /// The slots that were tried, the one that opened last.
    let tried: [Slot.ID]
    let origin: GuessOrigin
    /// Why a slot was not tried that this secret may open.
    var fault: VaultError?
}

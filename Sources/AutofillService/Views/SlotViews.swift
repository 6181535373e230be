// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
package import Reasons

/// The slots of the vault, and whether there is one.
package struct SlotReader {
    private let vault: VaultKeeper

    package init(_ vault: VaultKeeper) { self.vault = vault }

    package func requireOpenVault() throws(Unsettled) { _ = try vault.unlocked() }

    package func requireMissingVault() throws(Unsettled) {
        guard try vault.any().state == .missing else { throw Unsettled(.vaultExists) }
    }

    package func slots() throws(Unsettled) -> [Slot] {
        try vault.withVault { vault throws(VaultError) in try vault.slots.list() }
    }
}

/// Makes slots, the first ones with the vault.
package struct SlotWriter {
    private let vault: VaultKeeper
    private let request: RequestContext

    package init(_ vault: VaultKeeper, _ request: RequestContext) { (self.vault, self.request) = (vault, request) }

    /// The vault is open afterwards, unless something holds it locked.
    package func createVault(_ derived: DerivedSlots) throws(Refusal) {
        let now = vault.clock.now
        do throws(Unsettled) {
            let open = try vault.any()
            try attempting { () throws(VaultError) in try open.create(derived.slots, at: now) }
        } catch { throw error.refusal }
        vault.noteUnlocked(causedBy: request)
        vault.lockIfHeld(besides: derived.holds)
    }

    package func add(_ slot: NewSlot) throws(Refusal) -> Slot.ID {
        let now = vault.clock.now
        return try vault.change { vault throws(VaultError) in try vault.slots.add(slot, at: now) }
    }
}

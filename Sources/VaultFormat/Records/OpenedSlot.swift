// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A slot that a secret has opened, and the vault key that it wraps.
package struct OpenedSlot: Sendable {
    package let slot: SlotRow
    package let vaultKey: SecretBytes

    package init(slot: SlotRow, vaultKey: SecretBytes) {
        self.slot = slot
        self.vaultKey = vaultKey
    }
}

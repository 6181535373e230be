// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// The vault in the hands of another thread, for long work on all of it.
///
/// Leased whole, requests that need the vault wait; the event loop goes on. Leased `frozen`, to be read only, they are
/// served meanwhile. Safe to share: from the beginning of a lease to its end `VaultKeeper` gives the vault to nobody else, so
/// that the one thread that runs the work is the only one that uses it; with a frozen one it uses nothing else.
final class VaultLease: @unchecked Sendable {
    let vault: Vault
    /// The frozen vault to read; nil where the whole vault is leased.
    let frozen: FrozenVault?
    let progress = VaultProgress()
    /// What it is leased for; nil for work of the daemon's own.
    let method: Method?
    /// The state of the vault that is reported meanwhile.
    let state: Vault.State
    /// How often another file had replaced the vault when it began.
    let replacements: Int
    /// Whether it is that of `VaultKeeper.rescueLog`.
    var isRescue = false
    /// The result of the work, where it migrated the vault to the present format; read when the lease has ended.
    var migration: MigrationReport?

    init(_ vault: Vault, frozen: FrozenVault?, for method: Method?) {
        self.vault = vault
        self.frozen = frozen
        self.method = method
        (state, replacements) = (vault.state, vault.replacements)
    }

    /// Whether requests have to wait until it is back. One whose work was asked to stop counts as returned.
    var keepsOthersOut: Bool { frozen == nil || progress.isCancelled }

    /// The vault to read.
    var view: any VaultView { if let frozen { frozen } else { vault } }
}

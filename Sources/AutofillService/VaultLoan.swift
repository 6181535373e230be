// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

/// The vault in the hands of another thread, for long work on all of it.
///
/// Requests that need the vault meanwhile wait; the event loop goes on. Safe to share: from `OpenVault.lend` to `takeBack`
/// `OpenVault` gives the vault to nobody else, so that the one thread that runs the work is the only one that uses it.
package final class VaultLoan: @unchecked Sendable {
    let vault: Vault
    let progress = VaultProgress()
    /// What it was lent for; nil for work of the daemon's own.
    let method: Method?
    /// What is told of the vault meanwhile.
    let state: Vault.State

    init(_ vault: Vault, for method: Method?) {
        self.vault = vault
        self.method = method
        state = vault.state
    }
}

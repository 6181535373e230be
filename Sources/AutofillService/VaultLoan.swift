// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// The vault in the hands of another thread, for long work on all of it.
///
/// Lent whole, requests that need the vault wait; the event loop goes on. Lent `frozen`, to be looked at only, they are
/// served meanwhile. Safe to share: from `OpenVault.lend` to `takeBack` `OpenVault` gives the vault to nobody else, so that
/// the one thread that runs the work is the only one that uses it; with a frozen one it uses nothing else.
package final class VaultLoan: @unchecked Sendable {
    let vault: Vault
    /// What there is to look at; nil where the whole vault is lent.
    let frozen: FrozenVault?
    let progress = VaultProgress()
    /// What it was lent for; nil for work of the daemon's own.
    let method: Method?
    /// Whose request it was lent for.
    let request: (client: ClientID, id: RequestID)?
    /// When it was lent.
    let lent: Timestamp
    /// What is told of the vault meanwhile.
    let state: Vault.State

    init(
        _ vault: Vault, frozen: FrozenVault?, for method: Method?, request: (client: ClientID, id: RequestID)?,
        at now: Timestamp
    ) {
        lent = now
        self.vault = vault
        self.frozen = frozen
        self.method = method
        self.request = request
        state = vault.state
    }

    /// Whether requests have to wait until it is back. One whose work was told to stop is back at once.
    var keepsOthersOut: Bool { frozen == nil || progress.isCancelled }
}

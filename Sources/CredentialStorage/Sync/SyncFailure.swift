// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles

/// Why something of sync was not done; no save and no unlock fails by it.
package enum SyncFailure: Error, Equatable {
    case vault(VaultError)
    case file(SyncFileError)
    /// Sync was not started in this vault.
    case notStarted
    /// It was started already.
    case started
    /// The vault replaced another one, or was repaired: the user decides first whether others' newer changes count.
    case restored
    /// No key counts that this machine was given, or one is unusable.
    case keys
    /// The file is in this machine's own directory.
    case own
    /// The sequence is at its end.
    case noSequence
}

// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

/// Where a vault is kept.
package enum VaultLocation: Hashable, Sendable {
    /// This directory, `$XDG_DATA_HOME/autofilld` for the user's own.
    case directory(String)
    /// Nowhere: it ends with the process.
    case memory

    /// nil for a vault in memory.
    var directory: VaultDirectory? {
        guard case .directory(let path) = self else { return nil }
        return VaultDirectory(path: path)
    }
}

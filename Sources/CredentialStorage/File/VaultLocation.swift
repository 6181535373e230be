// SPDX-License-Identifier: Apache-2.0

/// Where a vault is kept.
package enum VaultLocation: Hashable, Sendable {
    /// This directory, `$XDG_DATA_HOME/autofilld` for the user's own.
    case directory(String)
    /// Nowhere: it ends with the process.
    case memory
}

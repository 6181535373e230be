// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
internal import Credentials

/// The record of releases, for the user.
package struct ReleaseReader {
    private let vault: VaultKeeper

    package init(_ vault: VaultKeeper) { self.vault = vault }

    package func releases(before: UInt64?, limit: Int) throws(Unsettled) -> ReleasePage {
        try vault.read { readers throws(VaultError) in try readers.releases.page(before: before, limit: limit) }
    }
}

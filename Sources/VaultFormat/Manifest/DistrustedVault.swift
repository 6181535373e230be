// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// A vault of which nothing is returned, as it is older than its last change, or nothing states how new it is.
package struct DistrustedVault {
    package let finding: VaultFinding
    /// Its own root.
    package let root: ManifestRoot

    package init(finding: VaultFinding, root: ManifestRoot) {
        self.finding = finding
        self.root = root
    }
}

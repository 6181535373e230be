// SPDX-License-Identifier: Apache-2.0
import Credentials

@testable import CredentialStorage

extension Vault {
    /// All that is saved for a service, opened for this, in the order that its pages should have.
    func credentials(for service: Service) throws -> [CredentialSummary] {
        try read { parts, statements throws(VaultError) in
            try found(for: service, parts, statements)
                .map { CredentialSummary($0, lastUsed: parts.uses[$0.id]) }.sorted { $0.position < $1.position }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Credentials

@testable import CredentialStorage
@testable import VaultFormat

extension Vault {
    /// All that is saved for a service, opened for this, in the order that its pages should have.
    func credentials(for service: Service) throws -> [CredentialSummary] {
        var (found, cursor): ([CredentialSummary], ObjectID?) = ([], nil)
        repeat {
            let page: VaultPage<Credential, ObjectID> = try store.read { records throws(VaultError) in
                try records.list(after: cursor, limit: 100) { $0.deleted == nil && $0.isFor(service) }
            }
            let uses = try store.unlocked.orders.uses
            found += page.elements.map { CredentialSummary($0, lastUsed: uses[$0.id]) }
            cursor = page.next
        } while cursor != nil
        return found.sorted { $0.position < $1.position }
    }
}

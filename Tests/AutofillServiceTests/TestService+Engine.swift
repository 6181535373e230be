// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Support
import Testing

@testable import AutofillService
@testable import CredentialStorage
@testable import VaultFormat

extension TestService {
    /// Something happens that no client did.
    func announce(_ event: ServiceEvent) throws {
        try onEngine { $0.service.stores.events.announce(event, causedBy: nil) }
    }

    /// Deletes a credential of the shop from the file, past the vault.
    func loseCredential(of user: String) throws {
        let vault = try #require(vault)
        let shop = Service(kind: .domain, value: "shop.example.com")
        let id = try #require(try vault.readers.credentials.get(for: shop, user: user)).id
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.records.delete.run(.bytes(id.stored))
        }
    }
}

extension AutofillEngine {
    /// What `follow` does before it waits.
    func followNow(_ signal: SessionSignal) {
        service.stores.vault.follow(signal, locksOnSessionLock: true, locksBeforeSleep: true)
    }

    /// Asks the sites again whose time has come, as it is done once a minute.
    func refreshAssociations() { service.stores.associations.refreshDue() }
}

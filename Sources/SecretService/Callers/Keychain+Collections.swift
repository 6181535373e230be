// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory
internal import Systemd

/// Collections: each is a record, an item with hidden attributes.
extension Keychain {
    /// The caller's own, the permanent ones first. While the vault is locked only the permanent ones are listed.
    func collections() async throws(BusError) -> [SecretCollection] {
        var own: [SecretCollection] = []
        if try await isUnlocked() {
            own = try await records()
            own.sort { ($0.created, $0.token) < ($1.created, $1.token) }
        }
        let login = own.first { $0.token == SecretServiceNames.login } ?? .login
        return [login, .session] + own.filter { $0.token != SecretServiceNames.login }
    }

    /// No more than a program can make by this service.
    private func records() async throws(BusError) -> [SecretCollection] {
        let attributes = HiddenAttribute.record(of: try await app())
        var records: [SecretCollection] = []
        var (cursor, count): (String?, Int) = (nil, 0)
        repeat {
            let answer = try await page(attributes, in: nil, after: cursor)
            records += answer.items.compactMap(SecretCollection.init).prefix(BridgeLimits.collections - records.count)
            cursor = answer.next
            count += answer.items.count
        } while cursor != nil && count < BridgeLimits.itemsPerSearch && records.count < BridgeLimits.collections
        return records
    }

    /// Creates a collection, or the record of a permanent one.
    func makeCollection(_ token: String, label: String, alias: String?) async throws(BusError) {
        let attributes = Self.attributes(token, alias, of: try await app())
        _ = try await call(
            KeychainSet(
                .attributes(accessGroup: nil),
                details: ItemDetails(attributes: attributes, label: label, collection: token),
                data: SecretBytes(utf8: ""), replace: true))
    }

    /// - Parameter alias: nil: it has none from now on.
    func change(_ collection: SecretCollection, label: String, alias: String?) async throws(BusError) {
        guard let record = collection.record else {
            return try await makeCollection(collection.token, label: label, alias: alias)
        }
        let attributes = Self.attributes(collection.token, alias, of: try await app())
        _ = try await call(
            KeychainSet(.item(record), details: ItemDetails(attributes: attributes, label: label), data: nil))
    }

    private static func attributes(_ token: String, _ alias: String?, of app: String) -> [String: String] {
        var attributes = HiddenAttribute.record(of: app)
        attributes[HiddenAttribute.collection] = token
        attributes[HiddenAttribute.alias] = alias
        return attributes
    }
}

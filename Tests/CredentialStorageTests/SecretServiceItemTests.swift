// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Items of Secret Service, by who wrote them")
struct SecretServiceItemTests {
    private static let group = Item.secretServiceGroup

    private static func writer(_ app: String) -> Subject {
        Subject(app: app, assurance: "claimed", executable: "path:/usr/bin/\(app)")
    }

    private func add(_ vault: Vault, _ attributes: [String: String], by app: String?) throws -> ObjectID {
        let draft = ItemDraft(
            attributes: .of(attributes), collection: "login", data: SecretBytes(utf8: "secret"),
            writer: app.map(Self.writer))
        return try vault.writers.items.add(draft, accessGroup: Self.group, place: nil, at: .at()).id
    }

    private func owned(_ vault: Vault, by app: String, in collection: String? = nil) throws -> [ObjectID] {
        let search = ItemSearch(accessGroups: [Self.group], collection: collection, owner: app)
        return try vault.readers.items.page(search).elements.map(\.id)
    }

    @Test("They are found by their writer, and by another once that one writes them; what nobody wrote by neither")
    func owners() throws {
        let vault = try Vault.new()
        let item = try add(vault, ["a": "1"], by: "alpha")
        _ = try add(vault, ["a": "1"], by: nil)
        #expect(try owned(vault, by: "alpha") == [item] && owned(vault, by: "beta").isEmpty)
        #expect(try owned(vault, by: "alpha", in: "login") == [item] && owned(vault, by: "alpha", in: "other").isEmpty)
        _ = try vault.writers.items.change(
            item, to: ItemDraft(data: SecretBytes(utf8: "new"), writer: Self.writer("beta")), at: .at(1))
        #expect(try owned(vault, by: "alpha").isEmpty && owned(vault, by: "beta") == [item])
        #expect(try vault.writers.items.delete(item) && owned(vault, by: "beta").isEmpty)
        #expect(try vault.check().isIntact)
        // Elsewhere nothing records who wrote an item.
        let other = try vault.writers.items.add(["a": "1"], group: "group")
        let search = ItemSearch(accessGroups: ["group"], owner: Subject.shop.app)
        #expect(try vault.readers.items.page(search).elements.isEmpty && vault.found(["a": "1"]) == [other])
    }

    /// attacks.md, the vault, 5
    @Test("A search costs as many queries as its rarest condition needs, however many items have the others")
    func lookups() throws {
        let vault = try Vault.new()
        let count = 400
        for number in 0..<count {
            let common = number.isMultiple(of: 2) ? ["kind": "mail"] : [:]
            _ = try add(vault, common.merging(["number": "\(number)"]) { $1 }, by: "alpha")
        }
        let mine = try add(vault, ["kind": "mail", "number": "mine"], by: "beta")
        func found(_ tags: (KeyedHash) -> [SealTag]) throws -> [ObjectID] {
            try vault.store.read { records throws(VaultError) in
                let page = try records.ids(withAll: tags(records.key), limit: 10, queries: 9)
                #expect(page.next == nil)
                return page.elements
            }
        }
        let (common, rare) = (Item.Attribute("kind", "mail"), Item.Attribute("number", "mine"))
        #expect(
            try found { key in [common, rare].map { Item.lookup(accessGroup: Self.group, $0, key: key) } } == [mine])
        #expect(
            try found { key in
                [
                    Item.lookup(accessGroup: Self.group, collection: "login", key: key),
                    Item.lookup(accessGroup: Self.group, owner: "beta", key: key),
                ]
            } == [mine])
    }

    @Test(
        "Measured among ten thousand items: two attributes, and one's own",
        .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"))
    func measured() throws {
        var costs: [String: [Duration]] = [:]
        for count in [100, 10_000] {
            let vault = try Vault.new()
            for number in 0..<count {
                let common = number.isMultiple(of: 2) ? ["kind": "mail"] : [:]
                _ = try add(vault, common.merging(["number": "\(number)"]) { $1 }, by: "alpha")
            }
            _ = try add(vault, ["kind": "mail", "number": "mine"], by: "beta")
            func least(_ search: ItemSearch) throws -> Duration {
                var least = Duration.seconds(60)
                for _ in 0..<50 {
                    var found = 0
                    least = min(
                        least,
                        try ContinuousClock().measure { found = try vault.readers.items.page(search).elements.count })
                    #expect(found == 1)
                }
                return least
            }
            let names = [Item.Attribute("kind", "mail"), Item.Attribute("number", "mine")]
            costs["attributes", default: []].append(
                try least(ItemSearch(accessGroups: [Self.group], attributes: names)))
            costs["own", default: []].append(
                try least(ItemSearch(accessGroups: [Self.group], collection: "login", owner: "beta")))
        }
        for (what, cost) in costs {
            print("\(what): \(cost[0]) among 100, \(cost[1]) among 10,000")
            #expect(cost[1] < cost[0] * 3, "\(what)")
        }
    }
}

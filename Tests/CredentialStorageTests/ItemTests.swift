// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Keychain items and their attributes")
struct ItemTests {
    @Test("Items that differ only in their ids are found by any of their attributes, and by no other")
    func similar() throws {
        let vault = try Vault.new()
        let mail = ["server": "mail.example.com", "user": "ann", "port": "993"]
        let ids = try [vault.writers.items.add(mail), vault.writers.items.add(mail)].sorted()
        let other = try vault.writers.items.add(["server": "mail.example.com", "user": "bob"])
        let foreign = try vault.writers.items.add(mail, group: "other")
        #expect(try vault.found(mail) == ids)
        #expect(try vault.found(["user": "ann", "port": "993"]) == ids)
        #expect(try vault.found(["server": "mail.example.com"]) == (ids + [other]).sorted())
        #expect(try vault.found([:]) == (ids + [other]).sorted())
        #expect(try vault.found(mail, group: "other") == [foreign])
        #expect(try vault.found(["user": "mail.example.com"]).isEmpty && vault.found(["user": "eve"]).isEmpty)
        #expect(try vault.found(["port": "993", "user": "bob"]).isEmpty)
    }

    @Test("A name and a text are found in another form of the same characters, and kept as they were given")
    func forms() throws {
        let vault = try Vault.new()
        let id = try vault.writers.items.add(["caf\u{E9}": "a\u{308}nn"])
        #expect(try vault.found(["cafe\u{301}": "\u{E4}nn"]) == [id])
        let kept = try #require(try vault.readers.items.get(id)?.attributes.first)
        #expect(kept.isSame(as: Item.Attribute("caf\u{E9}", "a\u{308}nn")))
    }

    @Test("Pages of every length give each item once, in the order of their ids, over several groups")
    func pages() throws {
        let vault = try Vault.new()
        for number in 0..<23 {
            try vault.writers.items.add(
                ["kind": "token", "number": "\(number)"], group: number % 3 == 0 ? "other" : "group")
        }
        let search = ItemSearch(accessGroups: ["group", "other", "none"], attributes: .of(["kind": "token"]))
        let all = try vault.readers.items.page(search, limit: 100).elements.map(\.id)
        #expect(all.count == 23 && all == all.sorted())
        for limit in 1...24 {
            var (ids, cursor, rounds): ([ObjectID], ObjectID?, Int) = ([], nil, 0)
            repeat {
                let page = try vault.readers.items.page(search, after: cursor, limit: limit)
                ids += page.elements.map(\.id)
                cursor = page.next
                rounds += 1
            } while cursor != nil && rounds < 100
            #expect(ids == all, "\(limit)")
        }
    }

    @Test("What is changed is found by what it has now only, a deleted one by nothing, and the rest stays")
    func changed() throws {
        let vault = try Vault.new()
        let id = try vault.writers.items.add(["a": "1", "b": "2"])
        let draft = ItemDraft(attributes: .of(["b": "2", "c": "3"]), label: "Label", collection: "work")
        #expect(try vault.writers.items.change(id, to: draft, at: .at(5)).version == 2)
        #expect(try !vault.writers.items.change(id, to: draft, at: .at(6)).changed)
        #expect(try vault.found(["a": "1"]).isEmpty && vault.found(["c": "3", "b": "2"]) == [id])
        let item = try #require(try vault.readers.items.get(id))
        #expect(item.label == "Label" && item.changed == .at(5) && item.data.text == "secret" && item.writer == .shop)
        let collected = ItemSearch(accessGroups: ["group"], collection: "work")
        #expect(try vault.readers.items.page(collected).elements.map(\.id) == [id])
        #expect(try vault.check().isIntact)
        #expect(try vault.writers.items.delete(id))
        #expect(try vault.found(["b": "2"]).isEmpty && vault.found([:]).isEmpty)
        #expect(try vault.readers.items.page(collected).elements.isEmpty && vault.check().isIntact)
    }

    @Test(
        "A place belongs to one item, found by its service and account, beside others with these attributes")
    func places() throws {
        let vault = try Vault.new()
        let place = Item.Place(service: "mail", account: "ann")
        let draft = ItemDraft(data: SecretBytes(utf8: "x"))
        let held = try vault.writers.items.add(draft, accessGroup: "group", place: place, at: .at()).id
        let beside = try vault.writers.items.add(["service": "mail", "account": "ann"])
        #expect(try vault.found(["service": "mail", "account": "ann"]) == [held, beside].sorted())
        #expect(try vault.readers.items.get(accessGroup: "group", place: place)?.id == held)
        #expect(
            failure { _ = try vault.writers.items.add(draft, accessGroup: "group", place: place, at: .at()) }
                == .alreadySaved(held))
        #expect(failure { _ = try vault.writers.items.move(beside, to: place, at: .at()) } == .alreadySaved(held))
        #expect(try vault.readers.items.page(accessGroup: "group", service: "mail").elements.count == 2)
        let free = Item.Place(service: "web", account: "ann")
        #expect(try vault.writers.items.move(held, to: free, at: .at(1)).version == 2)
        #expect(try vault.found(["service": "mail"]) == [beside] && vault.found(["service": "web"]) == [held])
        #expect(try vault.readers.items.get(accessGroup: "group", place: place) == nil)
        #expect(try vault.check().isIntact)
    }

    @Test("Of items without a place the one with just these attributes that was changed last is meant")
    func meant() throws {
        let vault = try Vault.new()
        let ids = try (0..<3).map { _ in try vault.writers.items.add(["a": "1"]) }
        try vault.writers.items.add(["a": "1", "b": "2"])
        _ = try vault.writers.items.change(ids[1], to: ItemDraft(label: "new"), at: .at(9))
        func meant(_ attributes: [String: String]) throws -> ObjectID? {
            try vault.readers.items.all(accessGroup: "group", just: .of(attributes), collection: nil).last?.id
        }
        #expect(try meant(["a": "1"]) == ids[1])
        #expect(try meant(["b": "2"]) == nil)
    }

    @Test(
        "A look-up by two attributes needs as many queries among 10,000 items as among 10, one of the two being common to all"
    )
    func flat() throws {
        var queries: [Int] = []
        for count in [10, 100, 10_000] {
            let vault = try Vault.new()
            var generator = SeededGenerator(seed: 7)
            try vault.store.write { transaction throws(VaultError) in
                for number in 0..<count {
                    let item = Item(
                        id: .random(.item, using: &generator), accessGroup: "group", place: nil,
                        attributes: .of(["schema": "common", "number": "\(number)"]), data: SecretBytes(utf8: "x"),
                        created: .at(), changed: .at())
                    try transaction.insert(item)
                }
            }
            var most = 0
            for number in stride(from: 0, to: count, by: max(1, count / 10)) {
                #expect(try vault.found(["schema": "common", "number": "\(number)"]).count == 1)
                most = max(most, try Self.fewestQueries(vault, number))
            }
            queries.append(most)
        }
        #expect(queries == [queries[0], queries[0], queries[0]] && queries[0] <= 6, "\(queries)")
    }

    /// How many queries a page with all that is found needs.
    private static func fewestQueries(_ vault: Vault, _ number: Int) throws -> Int {
        try vault.store.read { records throws(VaultError) in
            let tags = [Item.Attribute("number", "\(number)"), Item.Attribute("schema", "common")].map {
                Item.lookup(accessGroup: "group", $0, key: records.key)
            }
            var queries = 1
            while true {
                let page = try records.ids(withAll: tags, limit: 10, queries: queries)
                if page.next == nil, page.elements.count == 1 { return queries }
                queries += 1
            }
        }
    }

    @Test("A search that ends a page early continues with the next page: nothing is left out")
    func endsEarly() throws {
        let vault = try Vault.new()
        for number in 0..<40 {
            try vault.writers.items.add(number % 2 == 0 ? ["even": "1", "all": "1"] : ["odd": "1", "all": "1"])
        }
        try vault.store.read { records throws(VaultError) in
            let tags = [Item.Attribute("all", "1"), Item.Attribute("odd", "1")].map {
                Item.lookup(accessGroup: "group", $0, key: records.key)
            }
            for queries in 3...7 {
                var (ids, cursor): ([ObjectID], ObjectID?) = ([], nil)
                repeat {
                    let page = try records.ids(withAll: tags, after: cursor, limit: 100, queries: queries)
                    ids += page.elements
                    cursor = page.next
                } while cursor != nil
                #expect(ids.count == 20 && ids == ids.sorted(), "\(queries)")
            }
        }
    }
}

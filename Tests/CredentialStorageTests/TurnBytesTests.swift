// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("How much of the vault a turn opens")
struct TurnBytesTests {
    /// A vault with large records of each kind that is listed, some of them deleted, and capacity for a few of them in one turn.
    private func vault() throws -> Vault {
        var limits = VaultLimits()
        limits.turnBytes = 64 * 1024
        let vault = try Vault.new(limits: limits)
        let long = String(repeating: "x", count: 7000)
        for number in 0..<30 {
            try vault.writers.credentials.save(
                "shop.example", "user\(number)", long + "\(number)", at: .at(Int64(number)))
            let gone = try vault.writers.credentials.save("gone.example", "user\(number)", long, at: .at())
            _ = try vault.writers.credentials.delete(gone.id, at: .at())
            try vault.writers.items.add(["kind": "large"], data: String(repeating: "y", count: 1000 * number))
            try vault.writers.offers.insert(Offer.test(UInt64(number), form: "\(number)", password: long))
        }
        return vault
    }

    /// Every list that the loop reads, as what returns a page: the ids on it, and where the next one begins.
    private static let lists: [@Sendable (Vault, String?) throws -> (ids: [ObjectID], next: String?)] = [
        { vault, cursor in
            let page = try vault.readers.items.page(
                ItemSearch(accessGroups: ["group"], attributes: .of(["kind": "large"])),
                after: cursor.flatMap { ObjectID($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        { vault, cursor in
            let page = try vault.readers.items.page(after: cursor.flatMap { ObjectID($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        { vault, cursor in
            let page = try vault.readers.credentials.page(
                for: .domain("shop.example"), after: cursor.flatMap { CredentialPosition($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        { vault, cursor in
            let page = try vault.readers.credentials.page(after: cursor.flatMap { ObjectID($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        { vault, cursor in
            let page = try vault.readers.credentials.deleted(after: cursor.flatMap { ObjectID($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        { vault, cursor in
            let page = try vault.readers.offers.page(
                pendingOnly: true, after: cursor.flatMap { ObjectID($0) }, limit: 500)
            return (page.elements.map(\.id), page.next?.description)
        },
        // One that has none of what it reads.
        { vault, cursor in
            let page = try vault.readers.offers.page(
                pendingOnly: true, after: cursor.flatMap { ObjectID($0) }, limit: 500
            ) { _ in
                false
            }
            return (page.elements.map(\.id), page.next?.description)
        },
    ]

    /// attacks.md, the vault, 11: each page of the deleted credentials opened all of them.
    @Test(
        "Page after page all of a list is returned once, and no page opens more than its bytes and one record",
        arguments: lists.indices)
    func pages(number: Int) throws {
        let (vault, list) = (try vault(), Self.lists[number])
        _ = try vault.readers.credentials.page(for: .domain("shop.example"), after: nil, limit: 1)
        var (found, cursor): ([ObjectID], String?) = ([], nil)
        var pages = 0
        repeat {
            let before = vault.openedBytes
            let page = try list(vault, cursor)
            #expect(vault.openedBytes - before < 64 * 1024 + 32 * 1024 + VaultLimits.recordCost)
            found += page.ids
            cursor = page.next
            pages += 1
            // What is deleted between two pages moves nothing else.
            if pages == 1, number == 0, let first = page.ids.first { #expect(try vault.writers.items.delete(first)) }
            if pages == 1, number == 2, let first = page.ids.first {
                _ = try vault.writers.credentials.delete(first, at: .at(99))
            }
        } while cursor != nil
        #expect(pages > 2)
        #expect(found.count == (number == Self.lists.count - 1 ? 0 : 30) && Set(found).count == found.count)
    }

    @Test("A record that is larger than a page is a page of its own")
    func larger() throws {
        let vault = try vault()
        vault.limits.turnBytes = 1
        var (count, cursor): (Int, ObjectID?) = (0, nil)
        repeat {
            let page = try vault.readers.items.page(after: cursor, limit: 500)
            #expect(page.elements.count == 1)
            count += 1
            cursor = page.next
        } while cursor != nil
        #expect(count == 30)
    }

    @Test("Pages of one turn share its bytes, and each has one entry at least; what a decision depends on is complete")
    func shared() throws {
        let vault = try vault()
        vault.beginTurn(endsPages: true)
        #expect(try vault.readers.items.page(after: nil, limit: 500).next != nil)
        #expect(try vault.readers.credentials.page(after: nil, limit: 500).elements.count <= 1)
        vault.endTurn()
        #expect(try vault.readers.credentials.page(after: nil, limit: 500).elements.count > 1)
        vault.beginTurn(endsPages: false)
        defer { vault.endTurn() }
        #expect(try vault.readers.items.page(after: nil, limit: 500).elements.count == 30)
        #expect(try vault.readers.offers.page(pendingOnly: true, after: nil, limit: 500).elements.count == 30)
    }

    @Test("A service's list uses as many turns as it needs, whatever is written meanwhile, and is then opened no more")
    func building() throws {
        let vault = try vault()
        let service = Service.domain("shop.example")
        func page() throws -> VaultPage<CredentialSummary, CredentialPosition>? {
            vault.beginTurn(endsPages: true)
            defer { vault.endTurn() }
            let before = vault.openedBytes
            defer { #expect(vault.openedBytes - before < 64 * 1024 + 10 * 1024) }
            do throws(VaultError) {
                return try vault.readers.credentials.page(for: service, after: nil, limit: 500)
            } catch {
                #expect(error == .unfinished)
                return nil
            }
        }
        #expect(try page() == nil)
        let all = try vault.readers.credentials.page(after: nil, limit: 500).elements.sorted { $0.id < $1.id }
        _ = try vault.writers.credentials.delete(all[0].id, at: .at(50))
        try vault.writers.credentials.save("shop.example", "new", "password", at: .at(60))
        try vault.writers.credentials.noteUse(of: all[1].id, at: .at(70))
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "new", "other", ifVersion: 9, at: .at(80)) }
                != nil)
        var turns = 1
        var first: VaultPage<CredentialSummary, CredentialPosition>?
        while first == nil {
            turns += 1
            first = try page()
        }
        #expect(turns >= 5)
        let begin = try #require(first).elements.map(\.id)
        vault.limits.turnBytes = .max / 2
        let whole = try vault.readers.credentials.page(for: service, after: nil, limit: 500).elements
        #expect(try whole == vault.credentials(for: service) && whole.count == 30)
        #expect(Array(whole.map(\.id).prefix(begin.count)) == begin)
        // Neither a refused change nor one that is made has it opened again.
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "new", "other", ifVersion: 9, at: .at(80)) }
                != nil)
        let before = vault.openedBytes
        _ = try vault.readers.credentials.page(for: service, after: nil, limit: 1)
        #expect(vault.openedBytes - before < 10 * 1024)
    }

    @Test("A user's password is found among those of a site without opening the others")
    func byName() throws {
        let vault = try vault()
        let (site, service) = ("shop.example", Service(kind: .origin, value: "https://www.shop.example"))
        func find(_ user: String) throws -> Credential? {
            try vault.readers.credentials.get(underSite: site, asking: service, user: user)
        }
        #expect(try find("user7")?.user == "user7")
        let before = vault.openedBytes
        #expect(try find("user21")?.user == "user21" && find("nobody") == nil)
        #expect(vault.openedBytes - before < 10 * 1024)
        try vault.writers.credentials.save("shop.example", "re\u{301}ne\u{301}", "p", at: .at())
        #expect(try find("r\u{E9}n\u{E9}") != nil)
    }

    @Test("A service's credentials are counted for few of the saves, and its limit is never passed")
    func counted() throws {
        let vault = try Vault.new()
        func hasCapacity(_ site: String) throws -> Bool {
            try vault.readers.credentials.hasFewer(than: 100, for: .domain(site))
        }
        var ids: [ObjectID] = []
        while try hasCapacity("shop.example") {
            #expect(try hasCapacity("else.example"))
            ids.append(try vault.writers.credentials.save("shop.example", "user\(ids.count)", "p", at: .at()).id)
        }
        #expect(ids.count == 100)
        #expect(try vault.store.unlocked.orders.counts.countings <= 6)
        _ = try vault.writers.credentials.delete(ids[0], at: .at())
        #expect(try hasCapacity("shop.example"))
    }

    @Test("Lists that are being built are kept where another begins, all but one of as many as there may be")
    func manyBuilt() {
        var orders = CredentialOrders()
        let lists = (1...400).map { SealTag(high: $0, low: 0) }
        for list in lists { orders.build(list, OrderBuilding([])) }
        #expect(lists.count { orders.building($0) != nil } == 256)
        for list in lists[..<200] { orders.build(list, nil) }
        let kept = lists.filter { orders.building($0) != nil }
        for number in 401...500 { orders.build(SealTag(high: UInt64(number), low: 0), nil) }
        #expect(kept.allSatisfy { orders.building($0) != nil })
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import EventLoop
import Prompting
import SecretMemory
import Support
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// attacks.md, one sandboxed app, 4: no request holds the loop for long, whatever the vault has.
@Suite("How much one turn opens for a request")
struct ShortTurnTests {
    private let daemon: TestService
    private let shop: ServiceConnection
    private let vault: Vault

    init() throws {
        daemon = try TestService(consent: .user)
        shop = try daemon.connect(as: "org.example.Shop")
        vault = try #require(daemon.vault)
    }

    /// The outcome of a call, and the most that one turn of the loop opened for it.
    private func call<Call: MethodCall>(_ call: Call) throws -> (answer: Call.Answer, most: Int, turns: Int) {
        let (sent, line) = shop.prepare(call)
        var (before, most, turns) = (vault.openedBytes, 0, 0)
        func note() {
            let opened = vault.openedBytes - before
            most = max(most, opened)
            turns += opened > 0 ? 1 : 0
            before = vault.openedBytes
        }
        let client = shop.client
        daemon.engine.assumeIsolated { engine in _ = line.withUnsafeBytes { engine.receive($0, from: client) } }
        note()
        while try daemon.engine.loop.turn(timeout: .zero) { note() }
        return (try sent.answer(), most, turns)
    }

    /// All pages of a list.
    private func all(_ page: (PageRequest) throws -> (elements: [String], next: String?)) throws -> [String] {
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let next = try page(PageRequest(limit: 500, cursor: cursor))
            found += next.elements
            cursor = next.next
        } while cursor != nil
        return found
    }

    private func bytes(_ count: Int) -> SecretBytes {
        SecretBytes(copying: repeatElement(7, count: count), count: count)
    }

    private func item(_ number: Int) -> KeychainSet {
        KeychainSet(namespace: "large", account: "account\(number)", data: bytes(16 * 1024))
    }

    @Test("Large items are listed and searched for page by page, each once, also where some are deleted between pages")
    func items() throws {
        for number in 0..<120 { try shop.answer(to: item(number)) }
        var (found, cursor): ([String], String?) = ([], nil)
        var deleted: Set<String> = []
        repeat {
            let page = PageRequest(limit: 500, cursor: cursor)
            let (answer, most, _) = try call(KeychainSearch(namespace: "large", page: page))
            #expect(most < vault.limits.turnBytes + 32 * 1024 && !answer.items.isEmpty)
            found += answer.items.map(\.item)
            cursor = answer.next
            // One that was listed, and the one that was listed last: where the next page begins.
            for item in [answer.items.first, answer.items.last].compactMap(\.self) where cursor != nil {
                deleted.insert(item.item)
                try shop.answer(to: KeychainDelete(.id(item.item)))
            }
        } while cursor != nil
        #expect(found.count == 120 && Set(found).count == 120 && deleted.count >= 2)
        let rest = try all { page in
            let (answer, most, _) = try call(KeychainSearch(page: page))
            #expect(most < vault.limits.turnBytes + 32 * 1024)
            return (answer.items.map(\.item), answer.next)
        }
        #expect(Set(rest) == Set(found).subtracting(deleted) && rest.count == 120 - deleted.count)
    }

    @Test("Of a site with many large passwords the list takes several turns once, and its pages list each once")
    func credentials() throws {
        let password = String(repeating: "p", count: 4000)
        for number in 0..<300 { try shop.answer(to: CredentialSave("user\(number)", password)) }
        try vault.store.unlocked.orders = CredentialOrders()
        let first = try call(CredentialList(service: .shop, page: PageRequest(limit: 500)))
        #expect(first.turns > 1 && first.answer.next != nil)
        let users = try all { page in
            let (answer, most, turns) = try call(CredentialList(service: .shop, page: page))
            #expect(most < vault.limits.turnBytes + 16 * 1024 && turns == 1)
            return (answer.credentials.map(\.user), answer.next)
        }
        #expect(users.count == 300 && Set(users).count == 300)
    }

    @Test("An export of large passwords has no more in a page than one turn opens, and each once")
    func exported() throws {
        let password = String(repeating: "p", count: 4000)
        for number in 0..<300 { try shop.answer(to: CredentialSave("user\(number)", password)) }
        for only in [nil, ServiceIdentifier.shop, ServiceIdentifier.bank] {
            try shop.answer(to: ExportBegin(only: only, proof: .test))
            let users = try all { page in
                let (answer, most, turns) = try call(ExportRead(page: page))
                #expect(most < vault.limits.turnBytes + 16 * 1024 && turns == 1)
                return (answer.entries.map(\.user), answer.next)
            }
            #expect(users.count == (only == .bank ? 0 : 300) && Set(users).count == users.count)
        }
    }

    @Test("While a request continues in later turns others are answered in between")
    func between() throws {
        vault.limits.turnBytes = 64 * 1024
        let password = String(repeating: "p", count: 4000)
        for number in 0..<60 { try shop.answer(to: CredentialSave("user\(number)", password)) }
        try vault.store.unlocked.orders = CredentialOrders()
        let other = try daemon.connect(as: "org.example.Bank")
        let (long, line) = shop.prepare(CredentialList(service: .shop, page: PageRequest(limit: 5)))
        let (short, shortLine) = other.prepare(Status())
        let (client, otherClient) = (shop.client, other.client)
        daemon.engine.assumeIsolated { engine in _ = line.withUnsafeBytes { engine.receive($0, from: client) } }
        _ = try daemon.engine.loop.turn(timeout: .zero)
        daemon.engine.assumeIsolated { engine in _ = shortLine.withUnsafeBytes { engine.receive($0, from: otherClient) }
        }
        _ = try daemon.engine.loop.turn(timeout: .zero)
        _ = try short.answer()
        #expect(throws: ServiceConnection.Unanswered.self) { try long.answer() }
        try daemon.settle()
        #expect(try long.answer().credentials.count == 5)
    }

    @Test("A suggestion that takes several turns makes one offer")
    func suggested() throws {
        vault.limits.turnBytes = 64 * 1024
        let password = String(repeating: "p", count: 4000)
        for number in 0..<60 { try shop.answer(to: CredentialSave("user\(number)", password)) }
        try vault.store.unlocked.orders = CredentialOrders()
        let code = FieldDescription(id: "code", contentType: "oneTimeCode")
        let before = vault.openedBytes
        let answer = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp + [code])))
        #expect(answer.strongPassword != nil && answer.oneTimeCode != nil)
        #expect(vault.openedBytes - before > 3 * vault.limits.turnBytes && vault.counts?.pendingOffers == 1)
    }

    @Test("What a decision depends on is read in one turn: the item that is replaced, those that are named")
    func whole() throws {
        vault.limits.turnBytes = 32 * 1024
        func add(_ attributes: [String: String], replace: Bool) throws -> (item: String, turns: Int) {
            let details = ItemDetails(attributes: attributes)
            let done = try call(
                KeychainSet(.attributes(accessGroup: nil), details: details, data: bytes(4096), replace: replace))
            return (done.answer.item, done.turns)
        }
        var same: [String] = []
        for number in 0..<40 {
            daemon.clock.advance(milliseconds: 1)
            if number % 13 == 0 { same.append(try add(["a": "1"], replace: false).item) }
            _ = try add(["a": "1", "number": "\(number)"], replace: false)
        }
        daemon.clock.advance(milliseconds: 1)
        try shop.answer(to: KeychainSet(.item(same[1]), details: ItemDetails(label: "new"), data: nil))
        let done = try add(["a": "1"], replace: true)
        #expect(done.item == same[1] && done.turns == 1)
        let ids = try (0..<30).map { try shop.answer(to: item($0)).item }
        let (answer, _, turns) = try call(KeychainRequest(items: ids, interaction: .forbid))
        #expect(answer.readable == ids && answer.withheld.isEmpty && turns == 1)
    }

    @Test("Too many settled offers are dropped beside the requests, soon after there are so many")
    func settled() throws {
        vault.limits.settledOffers = 10
        for _ in 0..<14 {
            let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
            try shop.answer(to: AutofillDecline(offer: try #require(suggested.strongPassword).offer))
        }
        #expect(vault.counts?.settledOffers == 14)
        let soon = try #require(try daemon.onEngine { $0.nextUpkeep })
        #expect(soon <= .milliseconds(Limits.upkeepMilliseconds))
        try daemon.begin { await $0.keepUp() }
        #expect(vault.counts?.settledOffers == 10)
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import SecretMemory
import Settings
import Support
import TestGround
import Testing

@testable import AutofillService

/// What one app can take of the memory, the time and the record of all.
@Suite("One app among others")
struct QuotaTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.greet(as: app)
        return connection
    }

    private func releases(_ daemon: TestService) throws -> [ReleaseReport] {
        let user = try connect(daemon, "org.autofilld.autofillctl")
        return try user.answer(to: ReleaseList(page: PageRequest(limit: 500), proof: .test)).releases
    }

    private func get(_ domain: String) -> CredentialGet { CredentialGet(service: ServiceIdentifier(domain: domain)) }

    @Test("However often apps are refused, the record of releases keeps its capacity for what is released")
    func record() throws {
        let daemon = try TestService()
        for app in 0..<10 {
            let stranger = try connect(daemon, "org.example.Stranger\(app)", inode: 10 + UInt64(app))
            for number in 0..<100 {
                #expect(try stranger.refusal(of: get("site\(number).example.com")) != nil)
            }
        }
        #expect(try releases(daemon).count == 200)
        let shop = try connect(daemon)
        try shop.answer(to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret")))
        #expect(try shop.answer(to: CredentialGet(service: .shop)).password.text == "secret")
        let last = try #require(try releases(daemon).first)
        #expect(last.bundleID == "org.example.Shop" && last.refused == nil)
        daemon.clock.advance(milliseconds: 300_000)
        let stranger = try connect(daemon, "org.example.Stranger", inode: 9)
        for number in 0..<3 { _ = try stranger.refusal(of: get("site\(number).example.com")) }
        #expect(try releases(daemon).count == 202)
    }

    @Test("A program has its quota of the journal, whatever names it gives itself, and another program has its own")
    func journal() throws {
        let daemon = try TestService()
        func flood(inode: UInt64) throws -> Int {
            for name in 0..<10 {
                let app = try connect(daemon, "org.example.Flood\(name)", inode: inode)
                for number in 0..<10 {
                    #expect(try app.refusal(of: get("site\(number).example.com")) != nil)
                }
            }
            return daemon.journal.count { $0.refusal != nil }
        }
        #expect(try flood(inode: 7) == 30)
        #expect(try flood(inode: 8) == 60)
        // Three more of each in a second, the same event among them.
        daemon.clock.advance(milliseconds: 1000)
        #expect(try flood(inode: 7) == 63)
    }

    @Test("A clock that was set back silences nothing in the journal")
    func clockSetBack() throws {
        let daemon = try TestService()
        let stranger = try connect(daemon, "org.example.Stranger")
        func lines() throws -> Int {
            _ = try stranger.refusal(of: CredentialGet(service: .shop))
            return daemon.journal.count { $0.refusal != nil }
        }
        #expect(try lines() == 1)
        #expect(try lines() == 1)
        daemon.clock.wall -= 3_600_000
        #expect(try lines() == 1)
        daemon.clock.advance(milliseconds: 1000)
        #expect(try lines() == 2)
    }

    @Test("A request that is refused does not keep the vault open; one that is answered from it does")
    func idle() throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        let shop = try connect(daemon)
        let stranger = try connect(daemon, "org.example.Stranger")
        let save = CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret"))
        func vault(after app: ServiceConnection) throws -> String? {
            for _ in 0..<2 {
                daemon.clock.advance(milliseconds: 40_000)
                _ = try app.refusal(of: save)
                try daemon.begin { await $0.keepUp() }
            }
            return try app.answer(to: Status()).vault
        }
        #expect(try vault(after: shop) == "unlocked")
        #expect(try vault(after: stranger) == "locked")
    }

    @Test("An idle vault locks in time by a clock that was set back")
    func idleWithClockSetBack() throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        daemon.clock.wall -= 3_600_000
        try daemon.begin { await $0.keepUp() }
        daemon.clock.advance(milliseconds: 60_000)
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).answer(to: Status()).vault == "locked")
    }

    @Test("An app's verifiers leave capacity for other apps' and for the user's proof")
    func derivations() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func set(_ number: Int) -> VerifierSet {
            VerifierSet(namespace: "login", account: "ann\(number)", password: SecretBytes(utf8: "secret"))
        }
        // The second waits for the first: one thread derives.
        let (first, work) = try daemon.begin(set(1), shop)
        let (second, none) = try daemon.begin(set(2), shop)
        #expect(none == nil && second.waits)
        #expect(try shop.reasons(for: set(3)) == ["key-derivation-busy"])
        // By another name it is the same program still.
        #expect(try connect(daemon, "org.example.Mail").reasons(for: set(1)) == ["key-derivation-busy"])
        let mail = try connect(daemon, "org.example.Mail", inode: 8)
        let third = try mail.send(set(1))
        #expect(third.waits)
        try daemon.finish(try #require(work))
        #expect(try first.answer().changed && second.answer().changed && third.answer().changed)
        try shop.answer(to: set(3))
    }

    @Test("An app saves so many credentials for a site; the user more")
    func credentials() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func save(_ user: Int, _ proof: Proof? = nil) -> CredentialSave {
            CredentialSave(
                service: .shop, user: "user\(user)", password: SecretBytes(utf8: "secret"), proof: proof)
        }
        for user in 0..<1000 { try shop.answer(to: save(user)) }
        #expect(try shop.reasons(for: save(1000)) == ["too-many-credentials"])
        try shop.answer(to: save(999))
        try shop.answer(to: save(1000, .test))
    }

    @Test("An app makes so many credentials, those counted that it has deleted; others and the user make more")
    func credentialsOfAnApp() throws {
        let daemon = try TestService()
        let (shop, bank) = (try connect(daemon), try connect(daemon, "org.example.Bank"))
        func save(_ user: String, at service: ServiceIdentifier = .shop, _ proof: Proof? = nil) -> CredentialSave {
            CredentialSave(service: service, user: user, password: SecretBytes(utf8: "secret"), proof: proof)
        }
        try daemon.onEngine { engine in
            for _ in 10..<Limits.credentialsPerApp {
                engine.service.services.quotas.noteCredential(madeBy: "org.example.Shop")
            }
        }
        for number in 0..<10 {
            let credential = try shop.answer(to: save("user\(number)")).credential
            try shop.answer(to: CredentialDelete(credential: credential))
        }
        #expect(try shop.reasons(for: save("late")) == ["too-many-credentials"])
        try shop.answer(to: save("late", .test))
        try bank.answer(to: save("ann", at: .bank))
    }

    @Test("A save that fails uses no capacity")
    func failedSaves() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func save(_ user: String, ifVersion version: String? = nil) throws -> [String] {
            try shop.reasons(
                for: CredentialSave(
                    service: .shop, user: user, password: SecretBytes(utf8: "secret"), ifVersion: version))
        }
        // Otherwise nobody learns which version there is.
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        try daemon.onEngine { engine in
            for _ in 1..<Limits.credentialsPerApp {
                engine.service.services.quotas.noteCredential(madeBy: "org.example.Shop")
            }
        }
        for number in 0..<3 { #expect(try save("user\(number)", ifVersion: "7") == ["version-mismatch"]) }
        #expect(try save("ann") == [])
        #expect(try save("ann") == [])
        #expect(try save("bob") == ["too-many-credentials"])
    }

    @Test("A page continues behind its cursor, also where what the cursor named is deleted")
    func cursorOfWhatIsGone() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        for number in 0..<4 {
            daemon.clock.advance(milliseconds: 1000)
            try shop.answer(
                to: CredentialSave(service: .shop, user: "user\(number)", password: SecretBytes(utf8: "secret")))
        }
        func page(_ cursor: String? = nil) throws -> CredentialList.Answer {
            try shop.answer(to: CredentialList(service: .shop, page: PageRequest(limit: 2, cursor: cursor)))
        }
        let first = try page()
        for entry in first.credentials { try shop.answer(to: CredentialDelete(credential: entry.credential)) }
        #expect(first.next != nil)
        let second = try page(first.next)
        #expect((first.credentials + second.credentials).map(\.user) == ["user3", "user2", "user1", "user0"])
        #expect(second.next == nil)
    }

    @Test("An app that uses half of the capacity for offers gets no more; another one still does")
    func offers() throws {
        let daemon = try TestService()
        func suggest(_ app: ServiceConnection, _ domain: String) throws -> AutofillSuggest.Answer {
            try app.answer(
                to: AutofillSuggest(service: ServiceIdentifier(domain: domain), form: FormDescription(.signUp)))
        }
        let shop = try connect(daemon)
        for number in 0..<500 {
            let answer = try suggest(shop, "site\(number).members.example.com")
            #expect(answer.strongPassword != nil)
        }
        let withheld = try suggest(shop, "other.members.example.com").withheld.first { $0.type == "strongPassword" }
        #expect(withheld?.reasons.map(\.reason) == ["too-many-offers"])
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try suggest(bank, "bank.example.com").strongPassword != nil)
    }

    @Test("A page of keychain items opens what is on it, and asks where another program wrote that")
    func keychainPages() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, inode: 8))
        for number in 0..<6 {
            let item = KeychainSet(namespace: "tokens", account: "a\(number)", data: SecretBytes(utf8: "abc"))
            try (number < 5 ? shop : other).answer(to: item)
        }
        var accounts: [String] = []
        var (cursor, isAsked): (String?, Bool) = (nil, false)
        repeat {
            let page = PageRequest(limit: 1, cursor: cursor)
            let own = try shop.send(KeychainSearch(namespace: "tokens", page: page)).outcome()
            let read: KeychainSearch.Answer
            switch own {
            case .success(let answer): read = answer
            case .failure(let refused):
                #expect(refused.reasons.map(\.reason) == ["grant-missing"])
                isAsked = true
                read = try shop.answer(
                    to: KeychainSearch(
                        namespace: "tokens", accessGroup: "org.example.Shop", page: page, proof: .test))
            }
            #expect(read.items.count == 1)
            accounts += read.items.compactMap(\.place?.account)
            cursor = read.next
        } while cursor != nil
        #expect(isAsked && accounts.sorted() == (0..<6).map { "a\($0)" })
    }

    @Test("Of what a connection makes and deletes again and again so much is remembered, the latest above all")
    func made() {
        var ownership = Ownership()
        var entropy = SeededGenerator(seed: 1)
        let ids = (0..<10_000).map { _ in ObjectID.random(.item, using: &entropy) }
        for id in ids { ownership.noteMade(id, 1) }
        #expect(ids.suffix(Limits.pendingOffers).allSatisfy { ownership.hasMade($0, 1) })
        #expect(ids.count { ownership.hasMade($0, 1) } <= 2 * Limits.pendingOffers)
    }
}

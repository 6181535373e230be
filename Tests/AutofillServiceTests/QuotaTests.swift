// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import SecretMemory
import Settings
import Support
import Testing

@testable import AutofillService

/// What one app can take of the memory, the time and the record of all.
@Suite("One app among others")
struct QuotaTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }

    private func releases(_ daemon: TestService) throws -> [[String: Any]] {
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let answer = try person.call("admin.release.list", ["limit": 500, "proof": Examples.proof])
        return answer.result?["releases"] as? [[String: Any]] ?? []
    }

    private func domain(_ name: String) -> [String: Any] { ["service": ["type": "domain", "value": name]] }

    @Test("However often apps are refused, the record of releases keeps its room for what is released")
    func record() throws {
        let daemon = try TestService()
        for app in 0..<10 {
            let stranger = try connect(daemon, "org.example.Stranger\(app)", inode: 10 + UInt64(app))
            for number in 0..<100 {
                #expect(try stranger.call("credential.get", domain("site\(number).example.com")).result == nil)
            }
        }
        #expect(try releases(daemon).count == 200)
        let shop = try connect(daemon)
        try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
        #expect(try shop.call("credential.get", ["service": Examples.shop]).text("password") == "secret")
        let last = try #require(try releases(daemon).first)
        #expect(last["bundleID"] as? String == "org.example.Shop" && last["refused"] is NSNull)
        daemon.clock.advance(milliseconds: 300_000)
        let stranger = try connect(daemon, "org.example.Stranger", inode: 9)
        for number in 0..<3 { try stranger.call("credential.get", domain("site\(number).example.com")) }
        #expect(try releases(daemon).count == 202)
    }

    @Test("A program has its share of the journal, whatever names it gives itself, and another program has its own")
    func journal() throws {
        let daemon = try TestService()
        func flood(inode: UInt64) throws -> Int {
            for name in 0..<10 {
                let app = try connect(daemon, "org.example.Flood\(name)", inode: inode)
                for number in 0..<10 {
                    #expect(try app.call("credential.get", domain("site\(number).example.com")).result == nil)
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
            try stranger.call("credential.get", ["service": Examples.shop])
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
        func vault(after app: ServiceConnection) throws -> String? {
            for _ in 0..<2 {
                daemon.clock.advance(milliseconds: 40_000)
                try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
                try daemon.begin { await $0.keepUp() }
            }
            return try app.call("status").text("vault")
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
        #expect(try connect(daemon).call("status").text("vault") == "locked")
    }

    @Test("An app's verifiers leave room for other apps' and for the person's proof")
    func derivations() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func check(_ id: Int) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"method":"verifier.set","params":"#
                + #"{"service":"login","account":"ann\#(id)","password":"secret"}}"#
        }
        // The second waits for the first: one thread derives.
        let work = try #require(try daemon.begin(check(1), shop))
        #expect(try daemon.begin(check(2), shop) == nil)
        let third = try TestAnswer(try #require(try shop.exchange(check(3)).first))
        #expect(third.reasons == ["key-derivation-busy"])
        // By another name it is the same program still.
        let again = try TestAnswer(try #require(try connect(daemon, "org.example.Mail").exchange(check(1)).first))
        #expect(again.reasons == ["key-derivation-busy"])
        let mail = try connect(daemon, "org.example.Mail", inode: 8)
        #expect(try mail.exchange(check(1)).isEmpty)
        #expect(try daemon.finish(work, shop).count == 2)
        #expect(try mail.answers().map { $0.text("verifier") != nil } == [true])
        #expect(try TestAnswer(try #require(try shop.exchange(check(3)).first)).text("verifier") != nil)
    }

    @Test("An app saves so many credentials for a site; the person more")
    func credentials() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func save(_ user: Int, _ more: [String: Any] = [:]) throws -> TestAnswer {
            try shop.call(
                "credential.save",
                ["service": Examples.shop, "user": "user\(user)", "password": "secret"].merging(more) { $1 })
        }
        for user in 0..<1000 { #expect(try save(user).error == nil) }
        #expect(try save(1000).reasons == ["too-many-credentials"])
        #expect(try save(999).error == nil)
        #expect(try save(1000, ["proof": Examples.proof]).error == nil)
    }

    @Test("An app makes so many credentials, those counted that it has deleted; others and the person make more")
    func credentialsOfAnApp() throws {
        let daemon = try TestService()
        let (shop, bank) = (try connect(daemon), try connect(daemon, "org.example.Bank"))
        func save(_ app: ServiceConnection, _ user: String, _ more: [String: Any] = [:]) throws -> TestAnswer {
            let service = app.client == bank.client ? Examples.bank : Examples.shop
            return try app.call(
                "credential.save", ["service": service, "user": user, "password": "secret"].merging(more) { $1 })
        }
        try daemon.onEngine { engine in
            for _ in 10..<Limits.credentialsPerApp { engine.modules.offers.noteMade(by: "org.example.Shop") }
        }
        for number in 0..<10 {
            let saved = try save(shop, "user\(number)")
            let credential = try #require(saved.text("credential"))
            #expect(try shop.call("credential.delete", ["credential": credential]).error == nil)
        }
        #expect(try save(shop, "late").reasons == ["too-many-credentials"])
        #expect(try save(shop, "late", ["proof": Examples.proof]).error == nil)
        #expect(try save(bank, "ann").error == nil)
    }

    @Test("A save that fails takes no room")
    func failedSaves() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        func save(_ user: String, _ more: [String: Any] = [:]) throws -> [String] {
            try shop.call(
                "credential.save",
                ["service": Examples.shop, "user": user, "password": "secret"].merging(more) { $1 }
            ).reasons
        }
        // Else nobody is told which version there is.
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        try daemon.onEngine { engine in
            for _ in 1..<Limits.credentialsPerApp { engine.modules.offers.noteMade(by: "org.example.Shop") }
        }
        for number in 0..<3 { #expect(try save("user\(number)", ["ifVersion": 7]) == ["version-mismatch"]) }
        #expect(try save("ann") == [])
        #expect(try save("ann") == [])
        #expect(try save("bob") == ["too-many-credentials"])
    }

    @Test("A page goes on behind its cursor, also where what the cursor named is gone")
    func cursorOfWhatIsGone() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        for number in 0..<4 {
            daemon.clock.advance(milliseconds: 1000)
            try shop.call(
                "credential.save", ["service": Examples.shop, "user": "user\(number)", "password": "secret"])
        }
        func page(_ more: [String: Any]) throws -> TestAnswer {
            try shop.call("credential.list", ["service": Examples.shop, "limit": 2].merging(more) { $1 })
        }
        func entries(_ answer: TestAnswer) -> [[String: Any]] {
            answer.result?["credentials"] as? [[String: Any]] ?? []
        }
        let first = try page([:])
        for entry in entries(first) {
            try shop.call("credential.delete", ["credential": entry["credential"] ?? ""])
        }
        let second = try page(["cursor": try #require(first.text("next"))])
        let users = entries(first) + entries(second)
        #expect(users.compactMap { $0["user"] as? String } == ["user3", "user2", "user1", "user0"])
        #expect(second.text("next") == nil)
    }

    @Test("An app that takes half of the places for offers gets no more; another one still does")
    func offers() throws {
        let daemon = try TestService()
        func suggest(_ app: ServiceConnection, _ domain: String) throws -> TestAnswer {
            try app.call(
                "autofill.suggest",
                ["service": ["type": "domain", "value": domain], "fields": Examples.signUp])
        }
        let shop = try connect(daemon)
        for number in 0..<500 {
            let answer = try suggest(shop, "site\(number).members.example.com")
            #expect(answer.suggestion("strongPassword") != nil)
        }
        #expect(try suggest(shop, "other.members.example.com").withheld["strongPassword"] == ["too-many-offers"])
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try suggest(bank, "bank.example.com").suggestion("strongPassword") != nil)
    }

    @Test("A page of keychain items opens what is on it, and asks where another program wrote that")
    func keychainPages() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, inode: 8))
        for number in 0..<6 {
            let item: [String: Any] = [
                "service": "tokens", "account": "a\(number)", "data": ["base64": "AAEC"],
            ]
            try (number < 5 ? shop : other).call("keychain.set", item)
        }
        var accounts: [String] = []
        var (cursor, isAsked): (String?, Bool) = (nil, false)
        repeat {
            var page: [String: Any] = ["service": "tokens", "limit": 1]
            page["cursor"] = cursor
            let answer = try shop.call("keychain.list", page)
            if answer.reasons == ["grant-missing"] {
                isAsked = true
                page["proof"] = Examples.proof
                page["accessGroup"] = "org.example.Shop"
            }
            let read = answer.error == nil ? answer : try shop.call("keychain.list", page)
            let items = read.result?["items"] as? [[String: Any]] ?? []
            #expect(items.count == 1)
            accounts += items.compactMap { $0["account"] as? String }
            cursor = read.text("next")
        } while cursor != nil
        #expect(isAsked && accounts.sorted() == (0..<6).map { "a\($0)" })
    }
}

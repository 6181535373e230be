// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Support
import Testing

@testable import AutofillService
@testable import Prompting

/// attacks.md, one sandboxed app, 4: no request opens all that a site may have.
@Suite("A site with as many accounts as may be")
struct ManyAccountsTests {
    private let daemon: TestService
    private let person: ServiceConnection
    private let shop: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .person)
        person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        shop = daemon.connect()
        try shop.hello()
    }

    private func allow() throws {
        let allowed = try person.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        #expect(allowed.error == nil)
    }

    private func save(_ numbers: Range<Int>) throws {
        for number in numbers {
            daemon.clock.advance(by: .milliseconds(1))
            let saved = try person.call(
                "credential.save",
                [
                    "service": Examples.shop, "user": "user\(number)", "password": "of \(number)",
                    "proof": Examples.proof,
                ])
            #expect(saved.error == nil)
        }
    }

    private func suggestion() throws -> [String: Any] {
        let answer = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": Examples.signIn])
        return try #require(answer.suggestion("savedCredentials"))
    }

    private func users(_ suggestion: [String: Any]) -> [String] {
        (suggestion["credentials"] as? [[String: Any]] ?? []).compactMap { $0["user"] as? String }
    }

    @Test("A hundred accounts are all suggested; of a thousand the hundred used last, and that there are more")
    func suggested() throws {
        try allow()
        try save(0..<100)
        let all = try suggestion()
        #expect(users(all).count == 100 && all["more"] == nil)
        try save(100..<1000)
        // One that was not among the last is, once it was used.
        #expect(try shop.call("credential.get", ["service": Examples.shop, "user": "user7"]).error == nil)
        let some = try suggestion()
        #expect(users(some).count == 100 && users(some).first == "user7" && some["more"] as? Bool == true)
        // Any other is filled where the app names it.
        #expect(
            try shop.call("credential.get", ["service": Examples.shop, "user": "user8"]).text("password") == "of 8")
    }

    @Test("The person picks from the hundred that were used last, and the prompt says so")
    func picked() throws {
        try allow()
        try save(0..<120)
        let fill: [String: Any] = ["service": Examples.shop, "fields": Examples.signIn]
        #expect(try shop.send("autofill.fill", fill, id: 7).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.accounts.count == 100)
        let page = try #require(question.pages.first)
        let text = question.pick(from: page, isLast: false, error: nil).description
        #expect(text.contains("Only the 100 that were used last are here."))
        let place = try #require(question.accounts.lastIndex { $0.user == "user20" })
        // Others were used meanwhile: what was picked is filled all the same.
        for number in 0..<20 {
            #expect(try shop.call("credential.get", ["service": Examples.shop, "user": "user\(number)"]).error == nil)
        }
        try daemon.pick(place, of: question, .once)
        let answer = try TestAnswer(try #require(shop.received().last))
        #expect(answer.text("user") == "user20" && answer.text("password") == "of 20")
    }

    @Test("Codes are suggested of the hundred accounts used last; without a grant nothing tells how many there are")
    func codes() throws {
        try save(0..<120)
        for number in [0, 119] {
            let set = try person.call(
                "code.set",
                [
                    "service": Examples.shop, "user": "user\(number)", "proof": Examples.proof,
                    "uri": "otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                ])
            #expect(set.error == nil, "\(set.reasons)")
        }
        let fields: [[String: Any]] = [["id": "code", "contentType": "oneTimeCode"]]
        func suggested() throws -> (users: [String], hasMore: Bool?) {
            let answer = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": fields])
            let suggestion = try #require(answer.suggestion("oneTimeCode"))
            let codes = try #require(suggestion["codes"] as? [[String: Any]])
            return (codes.compactMap { $0["user"] as? String }, suggestion["more"] as? Bool)
        }
        #expect(try suggested() == ([], nil))
        try allow()
        let (users, hasMore) = try suggested()
        #expect(users.contains("user119") && hasMore == true)
    }
}

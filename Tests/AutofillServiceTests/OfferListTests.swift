// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Support
import Testing

@Suite("Offers that can be found again")
struct OfferListTests {
    private let daemon: TestService
    private let shop: ServiceConnection
    private let person: ServiceConnection

    init() throws {
        daemon = try TestService()
        shop = daemon.connect()
        try shop.hello()
        person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
    }

    private func offer() throws -> (id: String, password: String) {
        let suggested = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": Examples.signUp])
        let id = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        return (id, try #require(try shop.call("autofill.fill", ["offer": id]).text("password")))
    }

    private func list(_ state: String? = nil, _ app: ServiceConnection? = nil, proof: Bool = true) throws -> TestAnswer
    {
        var parameters: [String: Any] = [:]
        if let state { parameters["state"] = state }
        if proof { parameters["proof"] = Examples.proof }
        return try (app ?? person).call("offer.list", parameters)
    }

    private func states(_ answer: TestAnswer) -> [String: String] {
        let offers = answer.result?["offers"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: offers.map { ($0["offer"] as? String ?? "", $0["state"] as? String ?? "") })
    }

    private func fill(_ id: String) throws -> TestAnswer {
        try person.call("autofill.fill", ["offer": id, "proof": Examples.proof])
    }

    @Test("An app lists its own offers that wait, without proof, and no other app sees them")
    func own() throws {
        let (id, _) = try offer()
        #expect(states(try list(nil, shop, proof: false)) == [id: "pending"])
        let bank = daemon.connect()
        try bank.hello("org.example.Bank")
        #expect(states(try list(nil, bank, proof: false)).isEmpty)
        let otherProgram = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try otherProgram.hello()
        #expect(states(try list(nil, otherProgram, proof: false)).isEmpty)
        #expect(try list("all", shop, proof: false).reasons == ["proof-required"])
        #expect(try list("declined", shop, proof: false).reasons == ["proof-required"])
    }

    @Test("With proof every state is found, and no answer of the list has a password")
    func everyState() throws {
        let (pending, first) = try offer()
        let (accepted, second) = try offer()
        let (declined, third) = try offer()
        try shop.call("autofill.accept", ["offer": accepted, "user": "ann"])
        try shop.call("autofill.decline", ["offer": declined])
        let all = try list("all")
        #expect(states(all) == [pending: "pending", accepted: "accepted", declined: "declined"])
        #expect(states(try list()) == [pending: "pending"])
        #expect(states(try list("declined")) == [declined: "declined"])
        for password in [first, second, third] { #expect(!"\(all.result ?? [:])".contains(password)) }
        for (id, password) in [(pending, first), (accepted, second), (declined, third)] {
            #expect(try fill(id).text("password") == password)
        }
        #expect(try shop.call("autofill.fill", ["offer": declined]).reasons == ["offer-declined"])
        #expect(try person.call("autofill.fill", ["offer": pending]).reasons == ["offer-not-found"])
    }

    @Test("A sign-up whose answer never came back is finished by the person")
    func finish() throws {
        let (id, password) = try offer()
        let call: [String: Any] = ["offer": id, "user": "ann@example.com", "proof": Examples.proof]
        let accepted = try person.call("autofill.accept", call)
        #expect(accepted.result?["changed"] as? Bool == true)
        #expect(try person.call("autofill.accept", call).result?["changed"] as? Bool == false)
        #expect(
            try person.call("autofill.accept", ["offer": id, "user": "ann@example.com"]).reasons == ["offer-not-found"])
        let saved = try person.call(
            "credential.get", ["service": Examples.shop, "user": "ann@example.com", "proof": Examples.proof])
        #expect(saved.text("password") == password)
        // The app that comes back later is told the same.
        let late = try shop.call("autofill.accept", ["offer": id, "user": "ann@example.com"])
        #expect(late.result?["changed"] as? Bool == false)
        #expect(late.text("credential") == accepted.text("credential"))
    }

    @Test("What was declined, or has expired, is finished by the person too, and by nobody else")
    func revived() throws {
        let (declined, _) = try offer()
        try shop.call("autofill.decline", ["offer": declined])
        let (expired, password) = try offer()
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(states(try list("expired")) == [expired: "expired"])
        #expect(try shop.call("autofill.accept", ["offer": expired, "user": "eve"]).reasons == ["offer-expired"])
        #expect(try shop.call("autofill.accept", ["offer": declined, "user": "eve"]).reasons == ["offer-declined"])
        for (id, user) in [(declined, "ann"), (expired, "bob")] {
            let call: [String: Any] = ["offer": id, "user": user, "proof": Examples.proof]
            #expect(try person.call("autofill.accept", call).result?["changed"] as? Bool == true)
        }
        let saved = try person.call(
            "credential.get", ["service": Examples.shop, "user": "bob", "proof": Examples.proof])
        #expect(saved.text("password") == password)
    }

    @Test("The person declines an offer of any app; the list goes page by page")
    func decline() throws {
        let ids = Set(try (0..<5).map { _ in try offer().id })
        var found: Set<String> = []
        var cursor: String?
        repeat {
            var call: [String: Any] = ["limit": 2, "proof": Examples.proof]
            if let cursor { call["cursor"] = cursor }
            let page = try person.call("offer.list", call)
            found.formUnion(states(page).keys)
            cursor = page.text("next")
        } while cursor != nil
        #expect(found == ids)
        for id in ids {
            let call: [String: Any] = ["offer": id, "proof": Examples.proof]
            #expect(try person.call("autofill.decline", call).result?["changed"] as? Bool == true)
        }
        #expect(states(try list()).isEmpty)
    }
}

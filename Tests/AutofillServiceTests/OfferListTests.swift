// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import Support
import Testing

@Suite("Offers that can be found again")
struct OfferListTests {
    private let daemon: TestService
    private let shop: ServiceConnection
    private let user: ServiceConnection

    init() throws {
        daemon = try TestService()
        shop = daemon.connect()
        try shop.greet()
        user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
    }

    private func offer() throws -> (id: String, password: String) {
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        let id = try #require(suggested.strongPassword).offer
        return (id, try #require(try shop.answer(to: AutofillFill(offer: id)).password).text)
    }

    private func states(
        _ state: String? = nil, _ app: ServiceConnection? = nil, proof: Proof? = .test
    ) throws -> [String: String] {
        let offers = try (app ?? user).answer(to: OfferList(state: state, proof: proof)).offers
        return Dictionary(uniqueKeysWithValues: offers.map { ($0.offer, $0.state) })
    }

    private func fill(_ id: String) throws -> String? {
        try user.answer(to: AutofillFill(offer: id, proof: .test)).password?.text
    }

    @Test("An app lists its own offers that wait, without proof, and no other app sees them")
    func own() throws {
        let (id, _) = try offer()
        #expect(try states(nil, shop, proof: nil) == [id: "pending"])
        let bank = daemon.connect()
        try bank.greet(as: "org.example.Bank")
        #expect(try states(nil, bank, proof: nil).isEmpty)
        let otherProgram = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try otherProgram.greet()
        #expect(try states(nil, otherProgram, proof: nil).isEmpty)
        #expect(try shop.reasons(for: OfferList(state: "all")) == ["proof-required"])
        #expect(try shop.reasons(for: OfferList(state: "declined")) == ["proof-required"])
    }

    @Test("With proof every state is found, and no answer of the list has a password")
    func everyState() throws {
        let (pending, first) = try offer()
        let (accepted, second) = try offer()
        let (declined, third) = try offer()
        try shop.answer(to: AutofillAccept(offer: accepted, user: "ann"))
        try shop.answer(to: AutofillDecline(offer: declined))
        #expect(try states("all") == [pending: "pending", accepted: "accepted", declined: "declined"])
        #expect(try states() == [pending: "pending"])
        #expect(try states("declined") == [declined: "declined"])
        for password in [first, second, third] {
            #expect(!"\(try user.answer(to: OfferList(state: "all", proof: .test)))".contains(password))
        }
        for (id, password) in [(pending, first), (accepted, second), (declined, third)] {
            #expect(try fill(id) == password)
        }
        #expect(try shop.reasons(for: AutofillFill(offer: declined)) == ["offer-declined"])
        #expect(try user.reasons(for: AutofillFill(offer: pending)) == ["app-not-registered"])
    }

    @Test("A sign-up whose answer never arrived is finished by the user")
    func finish() throws {
        let (id, password) = try offer()
        let call = AutofillAccept(offer: id, user: "ann@example.com", proof: .test)
        let accepted = try user.answer(to: call)
        #expect(accepted.changed)
        #expect(try !user.answer(to: call).changed)
        #expect(
            try user.reasons(for: AutofillAccept(offer: id, user: "ann@example.com")) == ["app-not-registered"])
        let saved = try user.answer(to: CredentialGet(service: .shop, user: "ann@example.com", proof: .test))
        #expect(saved.password.text == password)
        // The app that returns later receives the same.
        let late = try shop.answer(to: AutofillAccept(offer: id, user: "ann@example.com"))
        #expect(!late.changed)
        #expect(late.credential == accepted.credential)
    }

    @Test("What was declined, or has expired, is finished by the user too, and by nobody else")
    func revived() throws {
        let (declined, _) = try offer()
        try shop.answer(to: AutofillDecline(offer: declined))
        let (expired, password) = try offer()
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(try states("expired") == [expired: "expired"])
        #expect(try shop.reasons(for: AutofillAccept(offer: expired, user: "eve")) == ["offer-expired"])
        #expect(try shop.reasons(for: AutofillAccept(offer: declined, user: "eve")) == ["offer-declined"])
        for (id, name) in [(declined, "ann"), (expired, "bob")] {
            #expect(try user.answer(to: AutofillAccept(offer: id, user: name, proof: .test)).changed)
        }
        let saved = try user.answer(to: CredentialGet(service: .shop, user: "bob", proof: .test))
        #expect(saved.password.text == password)
    }

    @Test("The user declines an offer of any app; the list goes page by page")
    func decline() throws {
        let ids = Set(try (0..<5).map { _ in try offer().id })
        var found: Set<String> = []
        var cursor: String?
        repeat {
            let page = try user.answer(to: OfferList(page: PageRequest(limit: 2, cursor: cursor), proof: .test))
            found.formUnion(page.offers.map(\.offer))
            cursor = page.next
        } while cursor != nil
        #expect(found == ids)
        for id in ids {
            #expect(try user.answer(to: AutofillDecline(offer: id, proof: .test)).changed)
        }
        #expect(try states().isEmpty)
    }
}

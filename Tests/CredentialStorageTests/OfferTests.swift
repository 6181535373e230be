// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Testing

@Suite("Offers")
struct OfferTests {
    @Test("A pending offer is found by its subject, service and form, and by no other")
    func pending() throws {
        let vault = try Vault.new()
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        func found(_ subject: Subject, _ domain: String, _ form: String, at now: Timestamp = .at()) throws -> ObjectID?
        {
            try vault.readers.offers.pending(for: subject, service: .domain(domain), form: form, at: now)?.id
        }
        #expect(try found(.shop, "shop.example", "form") == offer.id)
        #expect(try found(.other, "shop.example", "form") == nil)
        #expect(try found(.shop, "else.example", "form") == nil)
        #expect(try found(.shop, "shop.example", "another") == nil)
        #expect(try found(.shop, "shop.example", "form", at: .at(3_600_000)) == nil)
        #expect(try vault.readers.offers.get(offer.id)?.password.text == "wiZqy2-tibvek-jumpyx")
    }

    @Test("A pending offer survives the end of the process")
    func survives() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.offers.insert(Offer.test(1))
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(
            try again.readers.offers.pending(for: .shop, service: .domain("shop.example"), form: "form", at: .at())
                != nil)
        #expect(again.counts?.pendingOffers == 1)
    }

    @Test("Accepting makes the credential; once more changes nothing; another user is refused")
    func accept() throws {
        let vault = try Vault.new()
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        let saved = try vault.writers.offers.accept(offer.id, user: "ann", writer: .shop, at: .at(1))
        #expect(saved.isNew && saved.changed)
        #expect(try vault.password("shop.example", "ann") == "wiZqy2-tibvek-jumpyx")
        #expect(try vault.readers.credentials.get(saved.id)?.rules == "minlength: 20;")

        let again = try vault.writers.offers.accept(offer.id, user: "ann", writer: .shop, at: .at(2))
        #expect(again.id == saved.id && !again.changed)
        #expect(
            failure { _ = try vault.writers.offers.accept(offer.id, user: "bob", writer: .shop, at: .at(3)) }
                == .offerSettled(.accepted(saved.id)))
        #expect(
            failure { _ = try vault.writers.offers.decline(offer.id, at: .at(3)) } == .offerSettled(.accepted(saved.id))
        )
        #expect(vault.counts?.pendingOffers == 0 && vault.counts?.settledOffers == 1 && vault.counts?.credentials == 1)
        #expect(try vault.readers.offers.pendingCount(app: "org.example.Shop", service: .domain("shop.example")) == 0)
    }

    @Test("Accepting for a user who has a credential keeps the former password")
    func acceptChange() throws {
        let vault = try Vault.new()
        let old = try vault.writers.credentials.save("shop.example", "ann", "former")
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        let saved = try vault.writers.offers.accept(offer.id, user: "ann", replacing: old.id, writer: .shop, at: .at(1))
        #expect(saved.id == old.id && saved.version == 2 && !saved.isNew)
        #expect(try vault.readers.credentials.get(old.id)?.previous.map(\.password.text) == ["former"])
    }

    @Test("Replacing a credential of another service or user is refused, and leaves the offer pending")
    func acceptWrongTarget() throws {
        let vault = try Vault.new()
        let elsewhere = try vault.writers.credentials.save("else.example", "ann", "former")
        let other = try vault.writers.credentials.save("shop.example", "bob", "former")
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        for id in [elsewhere.id, other.id] {
            #expect(
                failure {
                    _ = try vault.writers.offers.accept(offer.id, user: "ann", replacing: id, writer: .shop, at: .at())
                }
                    == .notFound(id))
        }
        #expect(try vault.readers.offers.get(offer.id)?.state == .pending)
    }

    @Test("A refused accept changes neither the offer nor the credential")
    func acceptAtomic() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "ann", "former")
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        #expect(
            failure {
                _ = try vault.writers.offers.accept(offer.id, user: "ann", writer: .shop, ifVersion: 4, at: .at())
            }
                == .versionConflict(current: 1))
        #expect(try vault.readers.offers.get(offer.id)?.state == .pending)
        #expect(try vault.password("shop.example", "ann") == "former")
    }

    @Test("A declined offer's password can be found for its time, and is then removed")
    func decline() throws {
        let vault = try Vault.new()
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        #expect(try vault.writers.offers.decline(offer.id, at: .at(1)))
        #expect(try !vault.writers.offers.decline(offer.id, at: .at(2)))
        #expect(
            failure { _ = try vault.writers.offers.accept(offer.id, user: "ann", writer: .shop, at: .at(3)) }
                == .offerSettled(.declined))
        #expect(try vault.readers.offers.page(pendingOnly: false, after: nil, limit: 10).elements.count == 1)
        #expect(try vault.readers.offers.page(pendingOnly: true, after: nil, limit: 10).elements.isEmpty)
        #expect(try vault.purge(at: .at(vault.limits.recoverableMilliseconds)) == 0)
        #expect(try vault.readers.offers.get(offer.id)?.password.text == "wiZqy2-tibvek-jumpyx")
        #expect(try vault.purge(at: .at(vault.limits.recoverableMilliseconds + 1)) == 1)
        #expect(try vault.readers.offers.get(offer.id) == nil)
    }

    @Test("To decline an offer whose time has run out changes nothing but that")
    func declineLate() throws {
        let vault = try Vault.new()
        let offer = Offer.test(1, expires: .at(100))
        try vault.writers.offers.insert(offer)
        #expect(try !vault.writers.offers.decline(offer.id, at: .at(100)))
        #expect(try vault.readers.offers.get(offer.id)?.state == .expired)
    }

    @Test("An offer whose time has run out is not accepted, no longer counts, and stays findable")
    func expiry() throws {
        let vault = try Vault.new()
        let offer = Offer.test(1, expires: .at(100))
        try vault.writers.offers.insert(offer)
        #expect(
            failure { _ = try vault.writers.offers.accept(offer.id, user: "ann", writer: .shop, at: .at(100)) }
                == .offerSettled(.expired))
        #expect(vault.counts?.pendingOffers == 1)
        try vault.writers.offers.expireAll(at: .at(100))
        #expect(vault.counts?.pendingOffers == 0 && vault.counts?.settledOffers == 1)
        #expect(try vault.readers.offers.get(offer.id)?.state == .expired)
        #expect(try vault.purge(at: .at(vault.limits.recoverableMilliseconds + 100)) == 1)
    }

    /// attacks.md, the vault, 13
    @Test("So many settled offers are kept; the app with the most loses its oldest, and no other loses any")
    func settled() throws {
        var limits = VaultLimits()
        limits.settledOffers = 20
        let vault = try Vault.new(limits: limits)
        let bank = Subject(app: "org.example.Bank", assurance: "claimed", executable: "path:/usr/bin/bank")
        let kept = (1...3).map { Offer.test($0, form: "\($0)", subject: bank) }
        let declined = (100..<130).map { Offer.test($0, form: "\($0)") }
        for (number, offer) in (kept + declined).enumerated() {
            try vault.writers.offers.insert(offer)
            #expect(try vault.writers.offers.decline(offer.id, at: .at(Int64(number))))
            try vault.writers.offers.dropSettled()
            let count = try #require(vault.counts).settledOffers
            #expect(count <= 22 && count >= min(20, number + 1))
        }
        for offer in kept { #expect(try vault.readers.offers.get(offer.id)?.state == .declined) }
        #expect(try vault.readers.offers.get(declined[0].id) == nil)
        #expect(try vault.readers.offers.get(declined[29].id)?.state == .declined)
        let count = try vault.readers.offers.page(pendingOnly: false, after: nil, limit: 100).elements.count
        #expect(count == vault.counts?.settledOffers && count >= 20)
        #expect(try vault.check().isIntact)
    }

    @Test("Pending offers among many settled ones are all found, page by page")
    func pages() throws {
        let vault = try Vault.new()
        var pending: Set<ObjectID> = []
        for number in 1...300 as ClosedRange<UInt64> {
            let offer = Offer.test(number, form: "\(number)")
            try vault.writers.offers.insert(offer)
            if number.isMultiple(of: 50) {
                pending.insert(offer.id)
            } else {
                _ = try vault.writers.offers.decline(offer.id, at: .at())
            }
        }
        var found: [ObjectID] = []
        var cursor: ObjectID?
        repeat {
            let page = try vault.readers.offers.page(pendingOnly: true, after: cursor, limit: 2)
            #expect(page.elements.count == 2)
            found += page.elements.map(\.id)
            cursor = page.next
        } while cursor != nil
        #expect(found == pending.sorted())
        let some = try vault.readers.offers.page(pendingOnly: false, after: nil, limit: 7) { pending.contains($0.id) }
        #expect(some.elements.map(\.id) == found && some.next == nil)
    }

    @Test("Offers are counted by app and service")
    func counting() throws {
        let vault = try Vault.new()
        for number in 0..<5 {
            try vault.writers.offers.insert(Offer.test(UInt64(number) + 1, form: number == 0 ? nil : "f\(number)"))
        }
        try vault.writers.offers.insert(Offer.test(9, domain: "else.example"))
        try vault.writers.offers.insert(Offer.test(10, subject: .other))
        #expect(try vault.readers.offers.pendingCount(app: "org.example.Shop", service: .domain("shop.example")) == 6)
        #expect(try vault.readers.offers.pendingCount(app: "org.example.Mail", service: .domain("shop.example")) == 0)
        #expect(vault.counts?.pendingOffers == 7)
    }
}

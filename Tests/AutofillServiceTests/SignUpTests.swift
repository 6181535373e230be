// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Prompting
import Reasons
import SecretMemory
import Settings
import Support
import Testing

@Suite("A sign-up")
struct SignUpTests {
    private func shop(_ daemon: TestService) throws -> ServiceConnection {
        let shop = daemon.connect()
        try shop.greet()
        return shop
    }

    private func suggest(
        _ app: ServiceConnection, form: String? = nil, fields: [FieldDescription] = .signUp, style: String? = nil
    ) throws -> AutofillSuggest.Answer {
        try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(fields, id: form), style: style))
    }

    private func offer(
        _ app: ServiceConnection, form: String? = nil, fields: [FieldDescription] = .signUp
    ) throws -> String {
        try #require(try suggest(app, form: form, fields: fields).strongPassword).offer
    }

    private func withheld(_ answer: AutofillSuggest.Answer) -> [String]? {
        answer.withheld.first { $0.type == "strongPassword" }?.reasons.map(\.reason)
    }

    @Test("An app that is set up gets a password that is in the vault already, fills both fields and saves it")
    func mainJob() throws {
        let shop = try shop(try TestService())
        let suggestion = try #require(try suggest(shop).strongPassword)
        let offer = suggestion.offer
        #expect(suggestion.fields == ["new", "again"])
        let filled = try shop.answer(to: AutofillFill(offer: offer))
        let password = try #require(filled.password).text
        #expect(password.utf8.count == suggestion.length)
        #expect(password.contains { $0.isUppercase } && password.contains { $0.isNumber })
        #expect(filled.values.map { [$0.field, $0.value.text] } == [["new", password], ["again", password]])
        let accepted = try shop.answer(to: AutofillAccept(offer: offer, user: "ann@example.com"))
        #expect(accepted.changed)
        let saved = try shop.answer(to: CredentialGet(service: .shop, user: "ann@example.com"))
        #expect(saved.password.text == password)
        #expect(saved.summary.credential == accepted.credential)
    }

    @Test("Asking again for the same form gives the same offer; without a form each is new")
    func sameForm() throws {
        let shop = try shop(try TestService())
        let first = try offer(shop, form: "0b4c")
        #expect(try offer(shop, form: "0b4c") == first)
        #expect(try offer(shop, form: "77aa") != first)
        #expect(try offer(shop) != (try offer(shop)))
    }

    @Test("An offer belongs to its app and program: nobody else fills, accepts or declines it")
    func othersOffer() throws {
        let daemon = try TestService()
        let offer = try self.offer(try shop(daemon))
        let otherApp = daemon.connect()
        try otherApp.greet(as: "org.example.Bank")
        let otherProgram = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try otherProgram.greet()
        for stranger in [otherApp, otherProgram] {
            #expect(try stranger.reasons(for: AutofillFill(offer: offer)) == ["offer-not-found"])
            #expect(
                try stranger.reasons(for: AutofillAccept(offer: offer, user: "eve")) == ["offer-not-found"])
            #expect(try stranger.reasons(for: AutofillDecline(offer: offer)) == ["offer-not-found"])
        }
    }

    @Test("Accepting, declining and saving may be repeated, and return that nothing changed")
    func repeated() throws {
        let shop = try shop(try TestService())
        let offer = try self.offer(shop)
        let first = try shop.answer(to: AutofillAccept(offer: offer, user: "ann"))
        let second = try shop.answer(to: AutofillAccept(offer: offer, user: "ann"))
        #expect(second.credential == first.credential)
        #expect(!second.changed)
        #expect(
            try shop.reasons(for: AutofillAccept(offer: offer, user: "bob")) == ["offer-already-accepted"])
        let other = try self.offer(shop)
        #expect(try shop.answer(to: AutofillDecline(offer: other)).changed)
        #expect(try !shop.answer(to: AutofillDecline(offer: other)).changed)
        #expect(try shop.reasons(for: AutofillFill(offer: other)) == ["offer-declined"])
        let save = CredentialSave(service: .shop, user: "carl", password: SecretBytes(utf8: "pässwörd"))
        #expect(try shop.answer(to: save).changed)
        #expect(try !shop.answer(to: save).changed)
    }

    @Test("An expired offer is not filled or accepted any more")
    func expiry() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        let offer = try self.offer(shop, form: "f")
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(try shop.reasons(for: AutofillFill(offer: offer)) == ["offer-expired"])
        #expect(try shop.reasons(for: AutofillAccept(offer: offer, user: "ann")) == ["offer-expired"])
        #expect(try self.offer(shop, form: "f") != offer)
    }

    @Test("At most 32 offers wait for an app and service; past that nothing is dropped")
    func limit() throws {
        let shop = try shop(try TestService())
        var offers: [String] = []
        for _ in 0..<32 {
            offers.append(try offer(shop))
        }
        let refused = try suggest(shop)
        #expect(refused.strongPassword == nil)
        #expect(withheld(refused) == ["too-many-offers"])
        #expect(try shop.answer(to: AutofillFill(offer: offers[0])).password != nil)
        #expect(try shop.answer(to: AutofillDecline(offer: offers[0])).changed)
        #expect(try suggest(shop).strongPassword != nil)
    }

    @Test("An offer is filled into its fields after the vault was locked and unlocked")
    func overLock() throws {
        let shop = try shop(try TestService())
        let offer = try self.offer(shop)
        try shop.answer(to: VaultLock())
        #expect(try shop.reasons(for: AutofillFill(offer: offer)) == ["vault-locked"])
        try shop.answer(to: VaultUnlock(proof: .test))
        #expect(try shop.answer(to: AutofillFill(offer: offer)).values.map(\.field) == ["new", "again"])
    }

    @Test("Offers that have expired free capacity for new ones")
    func expiredFreeCapacity() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        for _ in 0..<32 { #expect(try suggest(shop).strongPassword != nil) }
        #expect(withheld(try suggest(shop)) == ["too-many-offers"])
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(try suggest(shop).strongPassword != nil)
    }

    @Test("A change of password replaces the one of the credential it names, and keeps its user")
    func change() throws {
        let shop = try shop(try TestService())
        let save = CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "old one"))
        let credential = try shop.answer(to: save).credential
        let fields = [
            FieldDescription(id: "old", contentType: "password", isSecure: true),
            FieldDescription(id: "new", contentType: "newPassword", isSecure: true),
        ]
        let offer = try self.offer(shop, fields: fields)
        let password = try #require(try shop.answer(to: AutofillFill(offer: offer)).password).text
        let accepted = try shop.answer(to: AutofillAccept(offer: offer, replaces: credential))
        #expect(accepted.credential == credential)
        let now = try shop.answer(to: CredentialGet(service: .shop))
        #expect(now.summary.user == "ann")
        #expect(now.password.text == password)
    }

    @Test("The password of a field without rules is readable, and a random one is given on request")
    func styles() throws {
        let shop = try shop(try TestService())
        let plain = [
            FieldDescription(id: "u", contentType: "username"),
            FieldDescription(id: "n", contentType: "newPassword", isSecure: true),
        ]
        let readable = try #require(try suggest(shop, fields: plain).strongPassword)
        #expect(readable.style == "readable")
        #expect(readable.bits == "71.88")
        #expect(readable.count == "4347975615324244531200")
        #expect(try suggest(shop, fields: plain, style: "random").strongPassword?.style == "random")
    }

    @Test(
        "Every condition of a strong password that fails is withheld with its reason, and logged once but in a sign-in")
    func withheld() throws {
        let user = FieldDescription(id: "u", contentType: "username")
        func new(isSecure: Bool = true, rules: String? = nil) -> FieldDescription {
            FieldDescription(id: "n", contentType: "newPassword", isSecure: isSecure, passwordRules: rules)
        }
        let cases: [(fields: [FieldDescription], reasons: [String])] = [
            (
                [user, FieldDescription(id: "p", contentType: "password", isSecure: true)],
                ["new-password-field-missing"]
            ),
            ([user, new(isSecure: false)], ["field-not-secure"]), ([new()], ["username-field-missing"]),
            ([user, new(rules: "minlength: 9; maxlength: 8")], ["password-rules-unsatisfiable"]),
            ([new(isSecure: false)], ["field-not-secure", "username-field-missing"]),
        ]
        for (index, form) in cases.enumerated() {
            let daemon = try TestService()
            let shop = try shop(daemon)
            for _ in 0..<3 {
                #expect(withheld(try suggest(shop, form: "f\(index)", fields: form.fields)) == form.reasons)
            }
            let logged = daemon.journal.compactMap { $0.refusal?.reason.rawValue }
            // Apple's documentation does not mention strong passwords for a sign-in.
            #expect(logged == form.reasons.prefix(1).filter { $0 != "new-password-field-missing" })
        }
    }

    @Test("Settings turn it off, for all and for one app")
    func settings() throws {
        let off: [(String, (inout DaemonSettings) -> Void)] = [
            ("keychain-disabled", { $0.keychain = false }), ("autofill-disabled", { $0.autoFill = false }),
            ("strong-passwords-disabled", { $0.strongPasswords = false }),
        ]
        for (reason, change) in off {
            var settings = DaemonSettings()
            change(&settings)
            let shop = try shop(try TestService(settings: settings))
            #expect(withheld(try suggest(shop)) == [reason])
        }
    }
}

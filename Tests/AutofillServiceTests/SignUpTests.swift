// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Prompting
import Reasons
import Settings
import Support
import Testing

@Suite("A sign-up")
struct SignUpTests {
    private func shop(_ daemon: TestService) throws -> ServiceConnection {
        let shop = daemon.connect()
        try shop.hello()
        return shop
    }

    private func suggest(_ app: ServiceConnection, form: String? = nil, fields: [[String: Any]] = Examples.signUp)
        throws
        -> TestAnswer
    {
        var parameters: [String: Any] = ["service": Examples.shop, "fields": fields]
        if let form { parameters["form"] = form }
        return try app.call("autofill.suggest", parameters)
    }

    @Test("An app that is set up gets a password that is in the vault already, fills both fields and saves it")
    func mainJob() throws {
        let shop = try shop(try TestService())
        let suggestion = try #require(try suggest(shop).suggestion("strongPassword"))
        let offer = try #require(suggestion["offer"] as? String)
        #expect(suggestion["fields"] as? [String] == ["new", "again"])
        #expect(suggestion["password"] == nil)
        let filled = try shop.call("autofill.fill", ["offer": offer])
        let password = try #require(filled.text("password"))
        #expect(password.utf8.count == suggestion["length"] as? Int)
        #expect(password.contains { $0.isUppercase } && password.contains { $0.isNumber })
        let values = filled.result?["values"] as? [[String: String]]
        #expect(values == [["field": "new", "value": password], ["field": "again", "value": password]])
        let accepted = try shop.call("autofill.accept", ["offer": offer, "user": "ann@example.com"])
        #expect(accepted.result?["changed"] as? Bool == true)
        let saved = try shop.call("credential.get", ["service": Examples.shop, "user": "ann@example.com"])
        #expect(saved.text("password") == password)
        #expect(saved.text("credential") == accepted.text("credential"))
    }

    @Test("Asking again for the same form gives the same offer; without a form each is new")
    func sameForm() throws {
        let shop = try shop(try TestService())
        let offer = { (form: String?) in try suggest(shop, form: form).suggestion("strongPassword")?["offer"] as? String
        }
        let first = try offer("0b4c")
        #expect(first != nil)
        #expect(try offer("0b4c") == first)
        #expect(try offer("77aa") != first)
        #expect(try offer(nil) != (try offer(nil)))
    }

    @Test("An offer belongs to its app and program: nobody else fills, accepts or declines it")
    func othersOffer() throws {
        let daemon = try TestService()
        let offer = try #require(try suggest(try shop(daemon)).suggestion("strongPassword")?["offer"] as? String)
        let otherApp = daemon.connect()
        try otherApp.hello("org.example.Bank")
        let otherProgram = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try otherProgram.hello()
        for stranger in [otherApp, otherProgram] {
            #expect(try stranger.call("autofill.fill", ["offer": offer]).reasons == ["offer-not-found"])
            #expect(
                try stranger.call("autofill.accept", ["offer": offer, "user": "eve"]).reasons == ["offer-not-found"])
            #expect(try stranger.call("autofill.decline", ["offer": offer]).reasons == ["offer-not-found"])
        }
    }

    @Test("Accepting, declining and saving may be repeated, and say that nothing changed")
    func repeated() throws {
        let shop = try shop(try TestService())
        let offer = try #require(try suggest(shop).suggestion("strongPassword")?["offer"] as? String)
        let first = try shop.call("autofill.accept", ["offer": offer, "user": "ann"])
        let second = try shop.call("autofill.accept", ["offer": offer, "user": "ann"])
        #expect(second.text("credential") == first.text("credential"))
        #expect(second.result?["changed"] as? Bool == false)
        #expect(
            try shop.call("autofill.accept", ["offer": offer, "user": "bob"]).reasons == ["offer-already-accepted"])
        let other = try #require(try suggest(shop).suggestion("strongPassword")?["offer"] as? String)
        #expect(try shop.call("autofill.decline", ["offer": other]).result?["changed"] as? Bool == true)
        #expect(try shop.call("autofill.decline", ["offer": other]).result?["changed"] as? Bool == false)
        #expect(try shop.call("autofill.fill", ["offer": other]).reasons == ["offer-declined"])
        let save: [String: Any] = ["service": Examples.shop, "user": "carl", "password": "pässwörd"]
        #expect(try shop.call("credential.save", save).result?["changed"] as? Bool == true)
        #expect(try shop.call("credential.save", save).result?["changed"] as? Bool == false)
    }

    @Test("An expired offer is not filled or accepted any more")
    func expiry() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        let offer = try #require(try suggest(shop, form: "f").suggestion("strongPassword")?["offer"] as? String)
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(try shop.call("autofill.fill", ["offer": offer]).reasons == ["offer-expired"])
        #expect(try shop.call("autofill.accept", ["offer": offer, "user": "ann"]).reasons == ["offer-expired"])
        let next = try suggest(shop, form: "f").suggestion("strongPassword")?["offer"] as? String
        #expect(next != nil && next != offer)
    }

    @Test("At most 32 offers wait for an app and service; past that nothing is dropped")
    func limit() throws {
        let shop = try shop(try TestService())
        var offers: [String] = []
        for _ in 0..<32 {
            offers.append(try #require(try suggest(shop).suggestion("strongPassword")?["offer"] as? String))
        }
        let refused = try suggest(shop)
        #expect(refused.suggestion("strongPassword") == nil)
        #expect(refused.withheld["strongPassword"] == ["too-many-offers"])
        #expect(try shop.call("autofill.fill", ["offer": offers[0]]).text("password") != nil)
        #expect(try shop.call("autofill.decline", ["offer": offers[0]]).result?["changed"] as? Bool == true)
        #expect(try suggest(shop).suggestion("strongPassword") != nil)
    }

    @Test("An offer is filled into its fields after the vault was locked and unlocked")
    func overLock() throws {
        let shop = try shop(try TestService())
        let offer = try #require(try suggest(shop).suggestion("strongPassword")?["offer"] as? String)
        try shop.call("admin.vault.lock")
        #expect(try shop.call("autofill.fill", ["offer": offer]).reasons == ["vault-locked"])
        try shop.call("vault.unlock", ["key": ["base64": TestFiles.key.base64EncodedString()]])
        let values = try shop.call("autofill.fill", ["offer": offer]).result?["values"] as? [[String: String]]
        #expect(values?.map { $0["field"] } == ["new", "again"])
    }

    @Test("Offers that have expired make room for new ones")
    func expiredMakeRoom() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        for _ in 0..<32 { #expect(try suggest(shop).suggestion("strongPassword") != nil) }
        #expect(try suggest(shop).withheld["strongPassword"] == ["too-many-offers"])
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        #expect(try suggest(shop).suggestion("strongPassword") != nil)
    }

    @Test("A change of password replaces the one of the credential it names, and keeps its user")
    func change() throws {
        let shop = try shop(try TestService())
        let saved = try shop.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "old one"])
        let credential = try #require(saved.text("credential"))
        let fields: [[String: Any]] = [
            ["id": "old", "contentType": "password", "secure": true],
            ["id": "new", "contentType": "newPassword", "secure": true],
        ]
        let offer = try #require(
            try suggest(shop, fields: fields).suggestion("strongPassword")?["offer"] as? String)
        let password = try shop.call("autofill.fill", ["offer": offer]).text("password")
        let accepted = try shop.call("autofill.accept", ["offer": offer, "replaces": credential])
        #expect(accepted.text("credential") == credential)
        let now = try shop.call("credential.get", ["service": Examples.shop])
        #expect(now.text("user") == "ann")
        #expect(now.text("password") == password)
        #expect(now.result?["version"] as? Int == 2)
    }

    @Test("The password of a field without rules is readable, and a random one is given on request")
    func styles() throws {
        let shop = try shop(try TestService())
        let plain: [[String: Any]] = [
            ["id": "u", "contentType": "username"], ["id": "n", "contentType": "newPassword", "secure": true],
        ]
        let readable = try #require(try suggest(shop, fields: plain).suggestion("strongPassword"))
        #expect(readable["style"] as? String == "readable")
        #expect(readable["bits"] as? String == "71.88")
        #expect(readable["count"] as? String == "4347975615324244531200")
        let random = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "fields": plain, "style": "random"])
        #expect(random.suggestion("strongPassword")?["style"] as? String == "random")
    }

    @Test(
        "Every condition of a strong password that fails is withheld with its reason, and logged once but in a sign-in")
    func withheld() throws {
        let user: [String: Any] = ["id": "u", "contentType": "username"]
        let cases: [(fields: [[String: Any]], reasons: [String])] = [
            ([user, ["id": "p", "contentType": "password", "secure": true]], ["new-password-field-missing"]),
            ([user, ["id": "n", "contentType": "newPassword"]], ["field-not-secure"]),
            ([["id": "n", "contentType": "newPassword", "secure": true]], ["username-field-missing"]),
            (
                [
                    user,
                    [
                        "id": "n", "contentType": "newPassword", "secure": true,
                        "passwordRules": "minlength: 9; maxlength: 8",
                    ],
                ],
                ["password-rules-unsatisfiable"]
            ),
            ([["id": "n", "contentType": "newPassword"]], ["field-not-secure", "username-field-missing"]),
        ]
        for (index, form) in cases.enumerated() {
            let daemon = try TestService()
            let shop = try shop(daemon)
            for _ in 0..<3 {
                #expect(
                    try suggest(shop, form: "f\(index)", fields: form.fields).withheld["strongPassword"] == form.reasons
                )
            }
            let logged = daemon.journal.compactMap { $0.refusal?.reason.rawValue }
            // Apple says nothing of strong passwords where one signs in.
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
            #expect(try suggest(shop).withheld["strongPassword"] == [reason])
        }
    }
}

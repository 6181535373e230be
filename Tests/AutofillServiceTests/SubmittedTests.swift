// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("What the person typed")
struct SubmittedTests {
    private func daemon(
        _ save: DaemonSettings.SaveSubmitted = .ask, _ consent: Consent = .fixed(.allow)
    ) throws -> TestService {
        var settings = DaemonSettings()
        settings.saveSubmitted = save
        return try TestService(consent: consent, settings: settings)
    }

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        return connection
    }

    private func signIn(_ user: String?, _ password: String?) -> [[String: Any]] {
        var fields: [[String: Any]] = []
        if let user { fields.append(["id": "mail", "contentType": "username", "value": user]) }
        if let password {
            fields.append(["id": "pw", "contentType": "password", "secure": true, "value": password])
        }
        return fields
    }

    private func change(_ old: String, _ new: String) -> [[String: Any]] {
        [
            ["id": "old", "contentType": "password", "secure": true, "value": old],
            ["id": "new", "contentType": "newPassword", "secure": true, "value": new],
            ["id": "again", "contentType": "newPassword", "secure": true, "value": new],
        ]
    }

    @discardableResult
    private func submit(
        _ app: ServiceConnection, _ fields: [[String: Any]], _ more: [String: Any] = [:]
    ) throws -> TestAnswer {
        try app.call(
            "autofill.submitted", ["service": Examples.shop, "fields": fields].merging(more) { $1 })
    }

    private func saved(_ daemon: TestService, _ user: String) throws -> String? {
        let person = try connect(daemon, "org.autofilld.autofillctl")
        return try person.call(
            "credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof]
        ).text("password")
    }

    @Test("What is saved is announced, once")
    func announced() throws {
        let daemon = try daemon()
        let (shop, listener) = (try connect(daemon), try connect(daemon))
        try listener.call("event.subscribe")
        for (password, isChange) in [("one", true), ("one", false), ("two", true)] {
            try submit(shop, signIn("ann", password))
            let heard = listener.received().filter { $0.contains(#""type":"credentialsChanged""#) }
            #expect(heard.count == (isChange ? 1 : 0))
        }
    }

    @Test("A new user is saved, another password updates it and the former is kept, and the same changes nothing")
    func outcomes() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        let first = try submit(shop, signIn("ann", "one"))
        #expect(first.text("outcome") == "saved")
        #expect(first.result?["changed"] as? Bool == true)
        let again = try submit(shop, signIn("ann", "one"))
        #expect(again.text("outcome") == "unchanged")
        #expect(again.result?["changed"] as? Bool == false)
        #expect(again.text("credential") == first.text("credential"))
        let changed = try submit(shop, signIn("ann", "two"))
        #expect(changed.text("outcome") == "updated")
        #expect(changed.text("credential") == first.text("credential"))
        #expect(try saved(daemon, "ann") == "two")
    }

    @Test("A change form finds whose password it was by the current one")
    func change() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        try submit(shop, signIn("ann", "one"))
        try submit(shop, signIn("bob", "two"))
        let changed = try submit(shop, change("two", "three"))
        #expect(changed.text("outcome") == "updated")
        #expect(try saved(daemon, "bob") == "three")
        #expect(try saved(daemon, "ann") == "one")
        #expect(try submit(shop, change("nobody's", "four")).text("outcome") == "nothing")
    }

    @Test("A sign-in over two pages is put together; a form without a password holds nothing to save")
    func twoPages() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        #expect(try submit(shop, signIn("ann", nil)).text("outcome") == "nothing")
        #expect(try submit(shop, signIn(nil, "one")).text("outcome") == "saved")
        #expect(try saved(daemon, "ann") == "one")
        #expect(try submit(try connect(daemon), signIn(nil, "two")).text("outcome") == "nothing")
    }

    @Test("An offered password that was submitted is accepted, without a question, in place of being saved anew")
    func offer() throws {
        let daemon = try daemon(.never)
        let shop = try connect(daemon)
        let suggested = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "form": "f1", "fields": Examples.signUp])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        let password = try #require(try shop.call("autofill.fill", ["offer": offer]).text("password"))
        var fields = Examples.signUp
        fields[0]["value"] = "ann@example.com"
        fields[1]["value"] = password
        fields[2]["value"] = password
        // From a new connection, as after a crash of the app: the form's id leads to it.
        let second = try connect(daemon)
        #expect(try submit(second, fields, ["form": "f1"]).text("outcome") == "saved")
        #expect(try saved(daemon, "ann@example.com") == password)
        let accepted = try shop.call("autofill.accept", ["offer": offer, "user": "ann@example.com"])
        #expect(accepted.result?["changed"] as? Bool == false)
    }

    @Test("Where nobody can be asked it is not saved, and the fix is told; the setting can say always, or never")
    func settings() throws {
        let asking = try daemon(.ask, .absent)
        #expect(try submit(try connect(asking), signIn("ann", "one")).reasons == ["save-unconfirmed"])
        #expect(try saved(asking, "ann") == nil)
        #expect(
            try submit(try connect(asking), signIn("ann", "one"), ["interaction": "forbid"]).reasons
                == ["interaction-required"])
        let always = try daemon(.always, .absent)
        #expect(try submit(try connect(always), signIn("ann", "one")).text("outcome") == "saved")
        let never = try daemon(.never)
        #expect(try submit(try connect(never), signIn("ann", "one")).reasons == ["save-disabled"])
    }

    @Test("No is for this time; never is remembered for the app, listed, and taken back like a grant")
    func never() throws {
        let script = try ConsentScript(
            """
            org.example.Shop * deny
            org.example.Shop * never
            * * allow
            * * allow
            """)
        let daemon = try daemon(.ask, .scripted(script))
        let shop = try connect(daemon)
        #expect(try submit(shop, signIn("ann", "one")).reasons == ["consent-denied"])
        #expect(try submit(shop, signIn("bob", "one")).reasons == ["consent-denied"], "it holds for every user name")
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try submit(shop, signIn("ann", "one")).reasons == ["save-disabled"])
        #expect(try submit(try connect(daemon), signIn("bob", "two")).reasons == ["save-disabled"])
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let grants =
            try person.call("admin.grant.list", ["proof": Examples.proof]).result?["grants"] as? [[String: Any]]
        let word = try #require(grants?.first)
        #expect((word["service"] as? [String: Any])?["value"] as? String == "*")
        try person.call("admin.grant.revoke", ["grant": word["grant"] as? String ?? "", "proof": Examples.proof])
        #expect(try submit(shop, signIn("ann", "one")).text("outcome") == "saved")
    }

    @Test("Whether a password is the saved one is told only to an app that may have it")
    func oracle() throws {
        let daemon = try daemon(.ask, .absent)
        let person = try connect(daemon, "org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "one", "proof": Examples.proof])
        let shop = try connect(daemon)
        for password in ["one", "two"] {
            for user in ["ann", "nobody"] {
                #expect(try submit(shop, signIn(user, password)).reasons == ["save-unconfirmed"])
            }
        }
        try person.call(
            "admin.grant.allow",
            ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        #expect(try submit(shop, signIn("ann", "one")).text("outcome") == "unchanged")
        #expect(try submit(shop, signIn("ann", "two")).reasons == ["save-unconfirmed"])
    }

    @Test("An app that is not associated with the domain saves nothing there")
    func association() throws {
        let daemon = try daemon(.always)
        let shop = try connect(daemon)
        let answer = try submit(shop, signIn("ann", "one"), ["service": Examples.bank])
        #expect(answer.reasons == ["domain-not-associated"])
    }
}

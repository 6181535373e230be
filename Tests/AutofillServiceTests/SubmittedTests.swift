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
    private func broker(
        _ save: DaemonSettings.SaveSubmitted = .ask, _ consent: Consent = .fixed(.allow)
    ) throws -> TestBroker {
        var settings = DaemonSettings()
        settings.saveSubmitted = save
        return try TestBroker(consent: consent, settings: settings)
    }

    private func connect(_ broker: TestBroker, _ app: String = "org.example.Shop") throws -> BrokerConnection {
        let connection = broker.connect()
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
        _ app: BrokerConnection, _ fields: [[String: Any]], _ more: [String: Any] = [:]
    ) throws -> TestAnswer {
        try app.call(
            "autofill.submitted", ["service": Examples.shop, "fields": fields].merging(more) { $1 })
    }

    private func saved(_ broker: TestBroker, _ user: String) throws -> String? {
        let person = try connect(broker, "org.autofilld.autofillctl")
        return try person.call(
            "credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof]
        ).text("password")
    }

    @Test("What is saved is announced, once")
    func announced() throws {
        let broker = try broker()
        let (shop, listener) = (try connect(broker), try connect(broker))
        try listener.call("event.subscribe")
        for (password, isChange) in [("one", true), ("one", false), ("two", true)] {
            try submit(shop, signIn("ann", password))
            let heard = listener.received().filter { $0.contains(#""type":"credentialsChanged""#) }
            #expect(heard.count == (isChange ? 1 : 0))
        }
    }

    @Test("A new user is saved, another password updates it and the former is kept, and the same changes nothing")
    func outcomes() throws {
        let broker = try broker()
        let shop = try connect(broker)
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
        #expect(try saved(broker, "ann") == "two")
    }

    @Test("A change form finds whose password it was by the current one")
    func change() throws {
        let broker = try broker()
        let shop = try connect(broker)
        try submit(shop, signIn("ann", "one"))
        try submit(shop, signIn("bob", "two"))
        let changed = try submit(shop, change("two", "three"))
        #expect(changed.text("outcome") == "updated")
        #expect(try saved(broker, "bob") == "three")
        #expect(try saved(broker, "ann") == "one")
        #expect(try submit(shop, change("nobody's", "four")).text("outcome") == "nothing")
    }

    @Test("A sign-in over two pages is put together; a form without a password holds nothing to save")
    func twoPages() throws {
        let broker = try broker()
        let shop = try connect(broker)
        #expect(try submit(shop, signIn("ann", nil)).text("outcome") == "nothing")
        #expect(try submit(shop, signIn(nil, "one")).text("outcome") == "saved")
        #expect(try saved(broker, "ann") == "one")
        #expect(try submit(try connect(broker), signIn(nil, "two")).text("outcome") == "nothing")
    }

    @Test("An offered password that was submitted is accepted, without a question, in place of being saved anew")
    func offer() throws {
        let broker = try broker(.never)
        let shop = try connect(broker)
        let suggested = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "form": "f1", "fields": Examples.signUp])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        let password = try #require(try shop.call("autofill.fill", ["offer": offer]).text("password"))
        var fields = Examples.signUp
        fields[0]["value"] = "ann@example.com"
        fields[1]["value"] = password
        fields[2]["value"] = password
        // From a new connection, as after a crash of the app: the form's id leads to it.
        let second = try connect(broker)
        #expect(try submit(second, fields, ["form": "f1"]).text("outcome") == "saved")
        #expect(try saved(broker, "ann@example.com") == password)
        let accepted = try shop.call("autofill.accept", ["offer": offer, "user": "ann@example.com"])
        #expect(accepted.result?["changed"] as? Bool == false)
    }

    @Test("Where nobody can be asked it is not saved, and the fix is told; the setting can say always, or never")
    func settings() throws {
        let asking = try broker(.ask, .absent)
        #expect(try submit(try connect(asking), signIn("ann", "one")).reasons == ["save-unconfirmed"])
        #expect(try saved(asking, "ann") == nil)
        #expect(
            try submit(try connect(asking), signIn("ann", "one"), ["interaction": "forbid"]).reasons
                == ["interaction-required"])
        let always = try broker(.always, .absent)
        #expect(try submit(try connect(always), signIn("ann", "one")).text("outcome") == "saved")
        let never = try broker(.never)
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
        let broker = try broker(.ask, .scripted(script))
        let shop = try connect(broker)
        #expect(try submit(shop, signIn("ann", "one")).reasons == ["consent-denied"])
        #expect(try submit(shop, signIn("bob", "one")).reasons == ["consent-denied"], "it holds for every user name")
        broker.clock.now = broker.clock.now.advanced(byMilliseconds: Int64(Limits.denialMilliseconds))
        #expect(try submit(shop, signIn("ann", "one")).reasons == ["save-disabled"])
        #expect(try submit(try connect(broker), signIn("bob", "two")).reasons == ["save-disabled"])
        let person = try connect(broker, "org.autofilld.autofillctl")
        let grants = try person.call("grant.list", ["proof": Examples.proof]).result?["grants"] as? [[String: Any]]
        let word = try #require(grants?.first)
        #expect((word["service"] as? [String: Any])?["value"] as? String == "*")
        try person.call("grant.revoke", ["grant": word["grant"] as? String ?? "", "proof": Examples.proof])
        #expect(try submit(shop, signIn("ann", "one")).text("outcome") == "saved")
    }

    @Test("Whether a password is the saved one is told only to an app that may have it")
    func oracle() throws {
        let broker = try broker(.ask, .absent)
        let person = try connect(broker, "org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "one", "proof": Examples.proof])
        let shop = try connect(broker)
        for password in ["one", "two"] {
            for user in ["ann", "nobody"] {
                #expect(try submit(shop, signIn(user, password)).reasons == ["save-unconfirmed"])
            }
        }
        try person.call(
            "grant.allow",
            ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        #expect(try submit(shop, signIn("ann", "one")).text("outcome") == "unchanged")
        #expect(try submit(shop, signIn("ann", "two")).reasons == ["save-unconfirmed"])
    }

    @Test("An app that is not associated with the domain saves nothing there")
    func association() throws {
        let broker = try broker(.always)
        let shop = try connect(broker)
        let answer = try submit(shop, signIn("ann", "one"), ["service": Examples.bank])
        #expect(answer.reasons == ["domain-not-associated"])
    }
}

// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Support
import Testing

@Suite("A field that gets the focus, and forms of a registration")
struct FocusTests {
    private func focus(
        _ app: ServiceConnection, _ field: String, _ fields: [[String: Any]], form: String = "f1",
        service: [String: Any] = Examples.shop
    ) throws -> TestAnswer {
        try app.call("autofill.suggest", ["service": service, "form": form, "fields": fields, "focus": field])
    }

    private func connection(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        return connection
    }

    @Test("Every field's part is told, and only what goes into the field that has the focus is suggested")
    func part() throws {
        let daemon = try TestService()
        let shop = try connection(daemon)
        let mail = try focus(shop, "mail", Examples.signUp)
        #expect(mail.roles == ["mail": "username", "new": "newPassword", "again": "confirmation"])
        #expect(mail.types.isEmpty && mail.withheld.isEmpty)
        #expect(try shop.call("status").result?["pendingOffers"] as? Int == 0)
        let answer = try focus(shop, "again", Examples.signUp)
        #expect(answer.roles == mail.roles && answer.types == ["strongPassword"])
        #expect(answer.text("formKind") == "signUp")
        #expect((answer.result?["grounds"] as? [String])?.count == 4)
        #expect(daemon.journal.isEmpty)
        let nowhere = try focus(shop, "nowhere", Examples.signUp)
        #expect(nowhere.problem == "parameter-invalid" && nowhere.member == "focus")
    }

    @Test("Why nothing is offered is logged once for each field and screen, and again on another screen")
    func oncePerField() throws {
        let daemon = try TestService()
        let app = try connection(daemon, "org.example.NotSetUp")
        for _ in 0..<3 {
            for (field, form) in [("new", "f1"), ("again", "f1"), ("new", "f2")] {
                daemon.clock.advance(milliseconds: 1001)
                let answer = try focus(app, field, Examples.signUp, form: form)
                #expect(answer.withheld["strongPassword"] == ["associated-domains-missing"])
            }
        }
        #expect(daemon.journal.count == 3)
        #expect(daemon.journal.allSatisfy { $0.message.contains("Cannot show Automatic Strong Passwords") })
        daemon.clock.advance(milliseconds: 1001)
        try app.call("autofill.suggest", ["service": Examples.shop, "form": "f1", "fields": Examples.signUp])
        #expect(daemon.journal.count == 3)
    }

    @Test("In a form that signs in nothing is logged, and the user name's field of a sign-up is silent too")
    func silence() throws {
        let daemon = try TestService()
        let shop = try connection(daemon)
        #expect(try focus(shop, "password", Examples.signIn).withheld.isEmpty)
        try shop.call("autofill.suggest", ["service": Examples.shop, "form": "f1", "fields": Examples.signIn])
        let bare = try connection(daemon, "org.example.NotSetUp")
        #expect(try focus(bare, "mail", Examples.signUp).withheld.isEmpty)
        #expect(daemon.journal.isEmpty)
    }

    @Test("Two fields of content type password are a sign-up with the wrong ones: that is worth a word")
    func wrongContentType() throws {
        let daemon = try TestService()
        let fields: [[String: Any]] = [
            ["id": "user", "contentType": "username"], ["id": "one", "contentType": "password", "secure": true],
            ["id": "two", "contentType": "password", "secure": true],
        ]
        let answer = try focus(try connection(daemon), "one", fields)
        #expect(answer.withheld["strongPassword"] == ["new-password-field-missing"])
        #expect(daemon.journal.count == 1)
    }

    @Test("A form of the registration is named by its id, and a field that is sent takes the place of its own")
    func declared() throws {
        let folder = try TestRegistrations([
            "org.example.Shop": """
            { "bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
                "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true },
              "forms": { "signUp": { "fields": [
                { "id": "mail", "contentType": "username" },
                { "id": "new", "contentType": "newPassword", "secure": true, "passwordRules": "minlength: 30" } ] } } }
            """
        ])
        let shop = try connection(try TestService(registrations: folder.path))
        let call: [String: Any] = ["service": Examples.shop, "form": "f1", "declaredForm": "signUp"]
        let suggestion = try #require(try shop.call("autofill.suggest", call).suggestion("strongPassword"))
        #expect(suggestion["fields"] as? [String] == ["new"])
        #expect(suggestion["length"] as? Int ?? 0 >= 30)
        let shown: [[String: Any]] = [["id": "new", "contentType": "newPassword"]]
        let withheld = try shop.call("autofill.suggest", call.merging(["fields": shown]) { $1 })
        #expect(withheld.withheld["strongPassword"] == ["field-not-secure"])
        let unknown = try shop.call("autofill.suggest", call.merging(["declaredForm": "signIn"]) { $1 })
        #expect(unknown.problem == "parameter-invalid")
        #expect(try shop.call("autofill.suggest", ["service": Examples.shop]).problem == "parameter-missing")
    }

    @Test("A declared form takes Apple's raw values and Swift names, and any that are not known mean nothing")
    func declaredTypes() throws {
        let folder = try TestRegistrations([
            "org.example.Shop": """
            { "bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
                "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true },
              "forms": { "signUp": { "fields": [
                { "id": "mail", "contentType": "username", "keyboardType": "URL" },
                { "id": "phone", "contentType": "telephoneNumber", "keyboardType": "phonePad" },
                { "id": "zip", "contentType": "postal-code", "keyboardType": "later-2031" },
                { "id": "user", "contentType": "later-2031" },
                { "id": "new", "contentType": "new-password", "secure": true },
                { "id": "again", "contentType": "newPassword", "secure": true } ] } } }
            """
        ])
        let shop = try connection(try TestService(registrations: folder.path))
        let answer = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "form": "f1", "declaredForm": "signUp"])
        #expect(
            answer.roles == [
                "mail": "username", "phone": "other", "zip": "other", "user": "other", "new": "newPassword",
                "again": "confirmation",
            ])
        #expect(answer.types == ["strongPassword"])
    }
}

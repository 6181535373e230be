// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Prompting
import Support
import Testing

@Suite("A field that gets the focus, and forms of a registration")
struct FocusTests {
    private func focus(
        _ app: ServiceConnection, _ field: String, _ fields: [FieldDescription], form: String = "f1"
    ) throws -> AutofillSuggest.Answer {
        try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(fields, id: form, focus: field)))
    }

    @Test("Every field's role is returned, and only what goes into the field that has the focus is suggested")
    func part() throws {
        let daemon = try TestService()
        let shop = try daemon.connect(as: "org.example.Shop")
        let mail = try focus(shop, "mail", .signUp)
        #expect(mail.parts == ["mail": "username", "new": "newPassword", "again": "confirmation"])
        #expect(mail.types.isEmpty && mail.withheld.isEmpty)
        #expect(try shop.answer(to: Status()).daemon?.pendingOffers == 0)
        let answer = try focus(shop, "again", .signUp)
        #expect(answer.parts == mail.parts && answer.types == ["strongPassword"])
        #expect(answer.formKind == "signUp" && answer.grounds.count == 4)
        #expect(daemon.journal.isEmpty)
        let nowhere = AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "f1", focus: "nowhere"))
        let refused = try #require(try shop.refusal(of: nowhere))
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"] && refused.member == "form.focus")
    }

    @Test("Of two forms whose fields' ids are equivalent in Unicode only, each is answered with its own ids")
    func equivalentIDs() throws {
        let daemon = try TestService()
        let shop = try daemon.connect(as: "org.example.Shop")
        for id in ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"] {
            let fields = [FieldDescription(id: id, contentType: "password", isSecure: true)]
            let answer = try focus(shop, id, fields)
            #expect(answer.roles.map { Array($0.field.utf8) } == [Array(id.utf8)])
        }
    }

    @Test("Why nothing is offered is logged once for each field and screen, and again on another screen")
    func oncePerField() throws {
        let daemon = try TestService()
        let app = try daemon.connect(as: "org.example.NotSetUp")
        for _ in 0..<3 {
            for (field, form) in [("new", "f1"), ("again", "f1"), ("new", "f2")] {
                daemon.clock.advance(milliseconds: 1001)
                let answer = try focus(app, field, .signUp, form: form)
                #expect(answer.reasons(withholding: "strongPassword") == ["associated-domains-missing"])
            }
        }
        #expect(daemon.journal.count == 3)
        #expect(daemon.journal.allSatisfy { $0.message.contains("Cannot show Automatic Strong Passwords") })
        daemon.clock.advance(milliseconds: 1001)
        try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "f1")))
        #expect(daemon.journal.count == 3)
    }

    @Test("In a form that signs in nothing is logged, and the user name's field of a sign-up is silent too")
    func silence() throws {
        let daemon = try TestService()
        let shop = try daemon.connect(as: "org.example.Shop")
        #expect(try focus(shop, "password", .signIn).withheld.isEmpty)
        try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signIn, id: "f1")))
        #expect(try focus(try daemon.connect(as: "org.example.NotSetUp"), "mail", .signUp).withheld.isEmpty)
        #expect(daemon.journal.isEmpty)
    }

    @Test("Two fields of content type password are a sign-up with the wrong ones: that is worth a word")
    func wrongContentType() throws {
        let daemon = try TestService()
        let fields = [
            FieldDescription(id: "user", contentType: "username"),
            FieldDescription(id: "one", contentType: "password", isSecure: true),
            FieldDescription(id: "two", contentType: "password", isSecure: true),
        ]
        let answer = try focus(try daemon.connect(as: "org.example.Shop"), "one", fields)
        #expect(answer.reasons(withholding: "strongPassword") == ["new-password-field-missing"])
        #expect(daemon.journal.count == 1)
    }

    /// The shop's registration, which declares a form.
    private func registrations(signUp fields: String) throws -> TestRegistrations {
        try TestRegistrations([
            "org.example.Shop": """
            { "bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
                "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true },
              "forms": { "signUp": { "fields": [\(fields)] } } }
            """
        ])
    }

    private func declared(_ form: String, shown fields: [FieldDescription] = []) -> AutofillSuggest {
        AutofillSuggest(service: .shop, form: FormDescription(fields, id: "f1", declared: form))
    }

    @Test("A form of the registration is named by its id, and a field that is sent replaces its own")
    func declared() throws {
        let folder = try registrations(
            signUp: """
                { "id": "mail", "contentType": "username" },
                { "id": "new", "contentType": "newPassword", "secure": true, "passwordRules": "minlength: 30" }
                """)
        let shop = try TestService(registrations: folder.path).connect(as: "org.example.Shop")
        let suggestion = try #require(try shop.answer(to: declared("signUp")).strongPassword)
        #expect(suggestion.fields == ["new"] && suggestion.length >= 30)
        let shown = [FieldDescription(id: "new", contentType: "newPassword")]
        let withheld = try shop.answer(to: declared("signUp", shown: shown))
        #expect(withheld.reasons(withholding: "strongPassword") == ["field-not-secure"])
        #expect(try shop.reasons(for: declared("signIn")) == ["parameter-invalid"])
        #expect(try shop.call("autofill.suggest", ["service": Examples.shop]).problem == "parameter-missing")
    }

    @Test(
        "A fill and a diagnosis name a declared form too; one that is not declared is refused before anybody is asked")
    func declaredElsewhere() throws {
        let folder = try registrations(
            signUp: """
                { "id": "mail", "contentType": "username" },
                { "id": "old", "contentType": "password", "secure": true },
                { "id": "new", "contentType": "newPassword", "secure": true }
                """)
        let daemon = try TestService(consent: .user, registrations: folder.path)
        let shop = try daemon.connect(as: "org.example.Shop")
        let id = try daemon.user().answer(to: CredentialSave("ann", "of ann", proof: .test)).credential
        for call in [
            AutofillFill(service: .shop, form: FormDescription(declared: "x")),
            AutofillFill(credential: id, form: FormDescription(declared: "x")),
        ] {
            #expect(try shop.reasons(for: call) == ["parameter-invalid"])
        }
        #expect(
            try shop.reasons(for: Diagnose(service: .shop, form: FormDescription(declared: "x"))) == [
                "parameter-invalid"
            ])
        #expect(daemon.questions.isEmpty)
        func filled(_ call: AutofillFill) throws -> [String] {
            let sent = try shop.send(call)
            for question in daemon.questions { try daemon.answer(question, .allow) }
            return try sent.answer().values.map(\.field)
        }
        #expect(try filled(AutofillFill(service: .shop, form: FormDescription(declared: "signUp"))) == ["mail", "old"])
        // A field that is sent replaces the declared one.
        let shown = [FieldDescription(id: "old", contentType: "newPassword", isSecure: true)]
        let fill = AutofillFill(credential: id, form: FormDescription(shown, declared: "signUp"))
        #expect(try filled(fill) == ["mail"])
        let offer = try #require(try shop.answer(to: declared("signUp")).strongPassword).offer
        #expect(try filled(AutofillFill(offer: offer, form: FormDescription(declared: "signUp"))) == ["new"])
        #expect(try shop.answer(to: Diagnose(service: .shop, form: FormDescription(declared: "signUp"))).strongPassword)
        let plain = [FieldDescription(id: "new", contentType: "newPassword")]
        let conditions = try shop.answer(to: Diagnose(service: .shop, form: FormDescription(plain, declared: "signUp")))
            .conditions
        let reasons = conditions.compactMap(\.reason).map(\.reason)
        #expect(reasons.contains("field-not-secure"))
    }

    @Test("A declared form accepts Apple's raw values and Swift names, and any that are not known have no effect")
    func declaredTypes() throws {
        let folder = try registrations(
            signUp: """
                { "id": "mail", "contentType": "username", "keyboardType": "URL" },
                { "id": "phone", "contentType": "telephoneNumber", "keyboardType": "phonePad" },
                { "id": "zip", "contentType": "postal-code", "keyboardType": "later-2031" },
                { "id": "user", "contentType": "later-2031" },
                { "id": "new", "contentType": "new-password", "secure": true },
                { "id": "again", "contentType": "newPassword", "secure": true }
                """)
        let shop = try TestService(registrations: folder.path).connect(as: "org.example.Shop")
        let answer = try shop.answer(to: declared("signUp"))
        #expect(
            answer.parts == [
                "mail": "username", "phone": "other", "zip": "other", "user": "other", "new": "newPassword",
                "again": "confirmation",
            ])
        #expect(answer.types == ["strongPassword"])
    }
}

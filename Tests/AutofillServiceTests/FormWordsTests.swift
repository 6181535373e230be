// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Prompting
import SecretMemory
import Support
import Testing

@Suite("The words around a form")
struct FormWordsTests {
    /// A form that only the text around it distinguishes from a sign-in.
    private static let fields = [
        FieldDescription(id: "mail", type: "email"),
        FieldDescription(id: "pw", isSecure: true, type: "password"),
    ]
    private static let signUp = FormWords(heading: "Create your account")

    private let service: TestService
    private let shop: ServiceConnection

    init() throws {
        service = try TestService(consent: .fixed(.allow))
        shop = service.connect()
        try shop.greet()
    }

    private func typed(_ user: String, _ password: String) -> [FieldDescription] {
        zip(Self.fields, [user, password]).map { field, value in
            var field = field
            field.value = SecretBytes(utf8: value)
            return field
        }
    }

    @Test("They count for a saved credential: the current password does not go into a field for a new one")
    func fill() throws {
        try shop.answer(to: try shop.submission(of: FormDescription(typed("ann", "one"))))
        let plain = try shop.answer(to: AutofillFill(service: .shop, form: FormDescription(Self.fields)))
        #expect(plain.values.map(\.field) == ["mail", "pw"])
        for words in [Self.signUp, FormWords(submitLabels: ["Sign up"]), FormWords(action: "/register")] {
            let filled = try shop.answer(
                to: AutofillFill(service: .shop, form: FormDescription(Self.fields, words: words)))
            #expect(filled.values.map(\.field) == ["mail"])
        }
    }

    @Test("They are kept with the fields of an offer, and passed again where the fields are")
    func offer() throws {
        let suggested = try shop.answer(
            to: AutofillSuggest(service: .shop, form: FormDescription(Self.fields, words: Self.signUp)))
        let offer = try #require(suggested.strongPassword?.offer)
        let filled = try shop.answer(to: AutofillFill(offer: offer))
        #expect(filled.values.map(\.field) == ["pw"])
        let again = try shop.answer(
            to: AutofillFill(offer: offer, form: FormDescription(Self.fields, words: Self.signUp)))
        #expect(again.values.map(\.field) == ["pw"])
        #expect(try shop.answer(to: AutofillFill(offer: offer, form: FormDescription(Self.fields))).values.isEmpty)
    }

    @Test("What was typed under a heading that asks for a code is no password")
    func submitted() throws {
        let code = [FieldDescription(id: "x1", isSecure: true, value: SecretBytes(utf8: "123456"))]
        try shop.answer(to: try shop.submission(of: FormDescription(typed("ann", "one"))))
        let asCode = AutofillSubmit(
            service: .shop, form: FormDescription(code, words: FormWords(heading: "Enter your verification code")))
        #expect(try shop.answer(to: asCode).submission == nil)
        #expect(try shop.answer(to: try shop.submission(of: FormDescription(code))).outcome == "updated")
    }

    @Test("A diagnosis reads the form as a suggestion does")
    func diagnose() throws {
        for (words, isOffered) in [
            (Self.signUp, true), (FormWords(heading: "Welcome back"), false), (FormWords(), false),
        ] {
            let answer = try shop.answer(to: Diagnose(service: .shop, form: FormDescription(Self.fields, words: words)))
            #expect(answer.strongPassword == isOffered)
        }
    }
}

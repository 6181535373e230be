// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Prompting
import SecretMemory
import Support
import Testing

/// What was the app's own, or was allowed to it, until the user decided otherwise.
@Suite("An app that may no longer fill")
struct DeniedAppTests {
    @Test("After a remembered no it changes nothing there, of what it wrote itself neither")
    func changes() throws {
        let daemon = try TestService()
        let app = try daemon.connect(as: "org.example.Shop")
        let id = try app.answer(to: CredentialSave("ann", "one")).credential
        let codes = CodeSet(
            service: .shop, user: "ann",
            uri: SecretBytes(utf8: "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
        try app.answer(to: codes)
        func label(_ text: String) -> CredentialUpdate {
            CredentialUpdate(credential: id, changes: CredentialChanges(label: text))
        }
        try app.answer(to: label("Mine"))
        try daemon.user().answer(to: GrantDeny(bundleID: "org.example.Shop", .service(.shop), proof: .test))
        let calls: [any MethodCall] = [
            codes, CodeDelete(service: .shop, user: "ann"), label("Another"), CredentialSave("ann", "two"),
            CredentialGet(service: .shop),
        ]
        for call in calls { #expect(try app.reasons(for: call) == ["grant-denied"], "\(call)") }
    }

    @Test("With AutoFill off neither its offer nor a code that came in is filled")
    func turnedOff() throws {
        let daemon = try TestService(consent: .fixed(.once))
        let app = try daemon.connect(as: "org.example.Shop")
        let mail = try daemon.connect(as: "org.example.Mail", inode: 9)
        let suggested = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        let offer = try #require(suggested.strongPassword).offer
        let code = try mail.answer(to: CodeOffer(service: .shop, code: SecretBytes(utf8: "111111"))).code
        let field = [FieldDescription(id: "otp", contentType: "oneTimeCode")]
        let fills = [AutofillFill(offer: offer), AutofillFill(code: code, form: FormDescription(field))]
        for isOn in [false, true] {
            let setting = SettingSet(setting: "autoFill", value: .bool(isOn), proof: .test)
            try daemon.user().answer(to: setting)
            for fill in fills { #expect(try app.reasons(for: fill) == (isOn ? [] : ["autofill-disabled"]), "\(fill)") }
        }
    }
}

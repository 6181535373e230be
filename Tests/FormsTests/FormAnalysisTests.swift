// SPDX-License-Identifier: Apache-2.0
import Forms
import Testing

@Suite("Forms")
struct FormAnalysisTests {
    private let user = FormField(id: "user", contentType: .username, keyboardType: .emailAddress)
    private let new = FormField(
        id: "new", contentType: .newPassword, isSecure: true, passwordRules: "minlength: 12", minimumLength: 8,
        maximumLength: 30)
    private let again = FormField(id: "again", contentType: .newPassword, isSecure: true, maximumLength: 20)
    private let current = FormField(id: "current", contentType: .password, isSecure: true)

    @Test("A user name and a new password make a sign-up form that nothing keeps from an offer")
    func signUp() {
        let form = FormAnalysis(of: [user, new])
        #expect(form.kind == .signUp)
        #expect(form.usernameField == "user")
        #expect(form.newPasswordFields == ["new"])
        #expect(form.obstacles.isEmpty)
    }

    @Test("A confirmation field gets the same password, under the rules of the field before it")
    func confirmation() {
        let fields = [user, new, again]
        let form = FormAnalysis(of: fields)
        #expect(form.newPasswordFields == ["new", "again"])
        #expect(form.ruledField(of: fields)?.id == "new")
        #expect(form.lengthBounds(of: fields).minimum == 8)
        #expect(form.lengthBounds(of: fields).maximum == 20)
    }

    @Test("A field of content type password is not one for a new password")
    func wrongContentType() {
        let form = FormAnalysis(of: [user, current])
        #expect(form.kind == .signIn)
        #expect(form.obstacles == [.newPasswordFieldMissing])
    }

    @Test("A field shown in clear prevents the offer, also when it is the confirmation")
    func shown() {
        let shown = FormField(id: "again", contentType: .newPassword, isSecure: false)
        #expect(FormAnalysis(of: [user, new, shown]).obstacles == [.fieldNotSecure(field: "again")])
    }

    @Test("Without a user name field a sign-up gets no offer, and an e-mail content type is none")
    func withoutUser() {
        let email = FormField(id: "mail", contentType: .emailAddress)
        #expect(FormAnalysis(of: [new]).obstacles == [.usernameFieldMissing])
        #expect(FormAnalysis(of: [email, new]).obstacles == [.usernameFieldMissing])
    }

    @Test("To change a password needs no user name")
    func change() {
        let form = FormAnalysis(of: [current, new, again])
        #expect(form.kind == .changePassword)
        #expect(form.obstacles.isEmpty)
    }

    @Test("Where there is no content type the web's words count, and where there is one they do not")
    func autocomplete() {
        let mail = FormField(id: "mail", autocomplete: ["section-a", "username"])
        let password = FormField(id: "pw", isSecure: true, autocomplete: ["new-password"])
        #expect(FormAnalysis(of: [mail, password]).obstacles.isEmpty)
        let overruled = FormField(id: "pw", contentType: .password, isSecure: true, autocomplete: ["new-password"])
        #expect(FormAnalysis(of: [mail, overruled]).obstacles == [.newPasswordFieldMissing])
    }

    @Test("Several obstacles are all named, in their order")
    func order() {
        let shown = FormField(id: "new", contentType: .newPassword)
        #expect(FormAnalysis(of: [shown]).obstacles == [.fieldNotSecure(field: "new"), .usernameFieldMissing])
        #expect(FormAnalysis(of: []).obstacles == [.newPasswordFieldMissing, .usernameFieldMissing])
    }

    /// Which fields of a sign-in are for a password, of a text field with this label or id beside one for the user name.
    private func passwordFields(_ text: String) -> [[String]] {
        let user = FormField(id: "user", type: "text", label: "User name")
        let fields = [FormField(id: "f1", type: "text", label: text), FormField(id: text, type: "text")]
        return fields.map { field in
            let form = FormAnalysis(of: [user, field])
            return form.passwordFields + form.newPasswordFields
        }
    }

    @Test(
        "A pass to travel or to enter is no password",
        arguments: [
            "Boarding pass number", "Boarding pass", "boardingPass", "Ski pass", "ski_pass_no", "seasonPassId",
            "Parking pass", "Visitor pass number", "Pass holder", "passType", "Serial number of the day pass",
            "Pass serial number", "City pass number",
        ])
    func passes(_ text: String) { #expect(passwordFields(text) == [[], []]) }

    @Test(
        "A password whose text is shown is one, however short its name",
        arguments: [
            "pass", "userpass", "user_pass", "passwd", "pass phrase", "loginPass", "Guest password", "daypassword",
            "Password for the boarding pass",
        ])
    func shownPasswords(_ text: String) { #expect(passwordFields(text) == [["f1"], [text]]) }
}

// SPDX-License-Identifier: Apache-2.0

/// The purpose of a form and the roles of its fields, as a browser would judge them, with reasons.
package struct FormAnalysis: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A new user name and a new password.
        case signUp
        /// A saved user name and password, or one of the two where they are asked for one after the other.
        case signIn
        /// The current password and a new one.
        case changePassword
        /// A code that holds once.
        case oneTimeCode
        /// A kind that AutoFill does not support.
        case other
    }

    /// The reasons against offering a strong password in this form, in the order of protocol.md.
    package enum Obstacle: Hashable, Sendable {
        case newPasswordFieldMissing
        /// The field is shown in clear at this moment.
        case fieldNotSecure(field: String)
        case usernameFieldMissing
    }

    package let kind: Kind
    /// The field for the user name: one whose content type is `username` (its keyboard may be the e-mail one), else one
    /// that only the web's words or the field's own call a user name or an e-mail address. Apple's rule: a field whose
    /// content type is `emailAddress` is not one.
    package let usernameField: String?
    /// A field that holds the user name but is not visible: it identifies whose password is changed, and is never
    /// filled.
    package let hiddenUsernameField: String?
    /// The fields for the current password.
    package let passwordFields: [String]
    /// The field for the new password and, after it, its confirmations: all get the same value.
    package let newPasswordFields: [String]
    /// The field for a one-time code, or the fields for its single digits.
    package let oneTimeCodeFields: [String]
    package let obstacles: [Obstacle]
    /// A finding for each field, in the form's order.
    package let findings: [FieldFinding]
    /// Why the form is of its kind.
    package let kindGround: String
    /// Whether it asks for a new password, or probably should: then it is reported that none is offered. Apple reports
    /// nothing for a form that only signs in.
    package let asksForNewPassword: Bool

    /// Reads a form. A field's content type, or else its autocomplete, determines its purpose; the others are
    /// recognised by their words and their position.
    package init(of fields: [FormField], context: FormContext = FormContext()) {
        var form = FormReading(fields, context)
        form.findCodes()
        form.arrangePasswords()
        form.findUsername()
        findings = form.findings
        func ids(_ roles: FieldFinding.Role...) -> [String] {
            form.findings.filter { roles.contains($0.role) }.map(\.field)
        }
        newPasswordFields = ids(.newPassword, .confirmation)
        passwordFields = ids(.password)
        oneTimeCodeFields = ids(.oneTimeCode)
        usernameField = form.username.map { fields[$0].id }
        hiddenUsernameField = fields.first(where: \.isHiddenUsername)?.id
        (kind, kindGround) = form.kind
        asksForNewPassword = !newPasswordFields.isEmpty || passwordFields.count > 1

        var obstacles: [Obstacle] = []
        if newPasswordFields.isEmpty { obstacles.append(.newPasswordFieldMissing) }
        let new = Set(newPasswordFields)
        if let shown = fields.first(where: { new.contains($0.id) && !$0.isSecure }) {
            obstacles.append(.fieldNotSecure(field: shown.id))
        }
        if kind != .changePassword, usernameField == nil { obstacles.append(.usernameFieldMissing) }
        self.obstacles = obstacles
    }

    /// Builds the vocabulary of all languages, which the first form would otherwise wait for. May run on any thread.
    package static func prepare() { _ = Vocabulary.all }

    /// Why, in sentences: the form's first, then one a field.
    package var grounds: [String] { ["\(kind.rawValue): \(kindGround)"] + findings.map(\.sentence) }

    /// The field whose rules apply: the first one for the new password that has any, else the first.
    package func ruledField(of fields: [FormField]) -> FormField? {
        let candidates = fields.filter { newPasswordFields.contains($0.id) }
        return candidates.first { $0.passwordRules != nil } ?? candidates.first
    }

    /// The shortest and longest password that all of the new password's fields accept, in characters.
    package func lengthBounds(of fields: [FormField]) -> (minimum: Int?, maximum: Int?) {
        let candidates = fields.filter { newPasswordFields.contains($0.id) }
        return (candidates.compactMap(\.minimumLength).max(), candidates.compactMap(\.maximumLength).min())
    }

    /// The patterns of the new password's fields, all of which it has to match, with the fields' ids.
    package func patterns(of fields: [FormField]) -> [(field: String, pattern: String)] {
        fields.filter { newPasswordFields.contains($0.id) }.compactMap { field in
            field.pattern.map { (field.id, $0) }
        }
    }
}

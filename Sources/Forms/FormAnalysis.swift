// SPDX-License-Identifier: Apache-2.0

/// What a form is for and which of its fields play which part.
package struct FormAnalysis: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// A new user name and a new password.
        case signUp
        /// A saved user name and password.
        case signIn
        /// The current password and a new one.
        case changePassword
        /// Nothing that AutoFill knows.
        case other
    }

    /// What keeps a strong password from being offered in this form, in the order of protocol.md.
    package enum Obstacle: Hashable, Sendable {
        case newPasswordFieldMissing
        /// The field is shown in clear at this moment.
        case fieldNotSecure(field: String)
        case usernameFieldMissing
    }

    package let kind: Kind
    /// The field for the user name: one whose content type is `username` (its keyboard may be the e-mail one), else one
    /// that only the web's words call a user name or an e-mail address. Apple's rule: an `emailAddress` field is not one.
    package let usernameField: String?
    /// The fields for the current password.
    package let passwordFields: [String]
    /// The field for the new password and, after it, its confirmations: all get the same value.
    package let newPasswordFields: [String]
    package let oneTimeCodeFields: [String]
    package let obstacles: [Obstacle]

    /// Reads a form. A field that confirms the new password is known by coming after it with the same meaning; it takes
    /// the rules of the field before it.
    package init(of fields: [FormField]) {
        func ids(_ meaning: ContentType) -> [String] { fields.filter { $0.meaning == meaning }.map(\.id) }
        let newPassword = fields.filter { $0.meaning == .newPassword }
        newPasswordFields = newPassword.map(\.id)
        passwordFields = ids(.password)
        oneTimeCodeFields = ids(.oneTimeCode)
        usernameField =
            ids(.username).first
            ?? fields.first { $0.contentType == nil && $0.meaning == .emailAddress }?.id

        kind =
            switch (newPasswordFields.isEmpty, passwordFields.isEmpty) {
            case (false, false): .changePassword
            case (false, true): .signUp
            case (true, false): .signIn
            case (true, true): .other
            }

        var obstacles: [Obstacle] = []
        if newPassword.isEmpty { obstacles.append(.newPasswordFieldMissing) }
        if let shown = newPassword.first(where: { !$0.isSecure }) {
            obstacles.append(.fieldNotSecure(field: shown.id))
        }
        if kind != .changePassword, usernameField == nil { obstacles.append(.usernameFieldMissing) }
        self.obstacles = obstacles
    }

    /// The field whose rules count: the first one for the new password that has any, else the first.
    package func ruledField(of fields: [FormField]) -> FormField? {
        let candidates = fields.filter { newPasswordFields.contains($0.id) }
        return candidates.first { $0.passwordRules != nil } ?? candidates.first
    }

    /// The shortest and longest password that all of the new password's fields take, in characters.
    package func lengthBounds(of fields: [FormField]) -> (minimum: Int?, maximum: Int?) {
        let candidates = fields.filter { newPasswordFields.contains($0.id) }
        return (candidates.compactMap(\.minimumLength).max(), candidates.compactMap(\.maximumLength).min())
    }
}

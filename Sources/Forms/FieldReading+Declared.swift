// SPDX-License-Identifier: Apache-2.0

/// What the page declares by `autocomplete` (HTML, 4.10.18.7), as far as it can be believed: pages write `new-password`
/// on a street's field, and `username` on a password's, to keep a browser from filling it.
extension FieldReading {
    static func declared(_ field: FormField, _ words: FieldWords, _ subject: Topic?) -> (Purpose, String)? {
        for token in field.autocomplete {
            if let purpose = purpose(of: token, field, words, subject) {
                return (purpose, "its autocomplete is \(token)")
            }
        }
        return nil
    }

    private static func purpose(
        of token: String, _ field: FormField, _ words: FieldWords, _ subject: Topic?
    ) -> Purpose? {
        let isPassword = field.isSecure || field.type == "password"
        if token.hasPrefix("cc-") { return .payment }
        switch token {
        case "new-password", "current-password":
            let isNew = token == "new-password"
            // A text field must be declared a password; one that declares nothing may be a current one that is shown.
            let isBelieved =
                isPassword || subject == .password || subject == .pin
                || !isNew && subject == nil && field.type != "email"
            return isBelieved ? .stated(isNew ? .newPassword : .password) : nil
        case "one-time-code":
            if isPassword { return words.has(.password) ? nil : .stated(.oneTimeCode) }
            let isBelieved = subject.map { [.oneTimeCode, .securityCode, .code, .matter].contains($0) } ?? true
            return isBelieved && field.type != "email" ? .stated(.oneTimeCode) : nil
        default: break
        }
        if isPassword { return nil }
        switch token {
        case "username": return .stated(.username)
        case "email": return .stated(.emailAddress)
        default: break
        }
        guard others.contains(token) else { return nil }
        // “Mobile number or e-mail”.
        if field.type == "email" || subject == .email || subject == .username || subject == .alias { return nil }
        return token.hasPrefix("tel") ? .text(likelihood: 1) : .apart(mayIdentify: false)
    }

    /// The web's tokens for other purposes.
    private static let others: Set = [
        "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname",
        "organization", "organization-title", "street-address", "address-line1", "address-line2", "address-line3",
        "address-level1", "address-level2", "address-level3", "address-level4", "country", "country-name",
        "postal-code", "bday", "bday-day", "bday-month", "bday-year", "sex", "url", "photo", "impp", "language",
        "transaction-amount", "transaction-currency", "tel", "tel-national", "tel-country-code", "tel-area-code",
        "tel-local", "tel-extension",
    ]
}

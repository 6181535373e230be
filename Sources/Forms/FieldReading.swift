// SPDX-License-Identifier: Apache-2.0

/// A field by itself, before its place in the form is looked at: what it says, what it looks like.
struct FieldReading {
    enum Look {
        /// Said by the app or the page.
        case stated(ContentType)
        /// Hidden text, or text under a password's name.
        case password
        /// Text that may be a user name: the higher, the likelier.
        case text(likelihood: Int)
        case oneTimeCode
        case search
        case payment
        /// Not for AutoFill, and what it tells of the form.
        case apart
        case hidden
    }

    let field: FormField
    let words: FieldWords
    let look: Look
    let ground: String

    init(_ field: FormField, _ words: FieldWords, amongCards: Bool) {
        self.field = field
        self.words = words
        (look, ground) = Self.read(field, words, amongCards)
    }

    /// A field of a kind of its own that only a person who signs up is asked for; nil for others.
    var signUpWord: String? {
        if case .stated = look { return nil }
        if case .hidden = look { return nil }
        let tokens = ["name", "given-name", "family-name", "bday", "tel-national"]
        if let token = field.autocomplete.first(where: tokens.contains) { return token }
        if field.type == "checkbox" { return words.find(.terms) }
        return words.find(.personName) ?? words.find(.birthday)
    }

    /// Whether it asks to be remembered: nobody is asked that who has no account yet.
    var asksToRemember: Bool { field.type == "checkbox" && words.find(.remember) != nil }

    private static let passiveTypes: Set = [
        "checkbox", "radio", "submit", "button", "reset", "image", "file", "date", "range", "color", "url", "month",
        "week",
        "time", "datetime-local",
    ]

    private static func read(_ field: FormField, _ words: FieldWords, _ amongCards: Bool) -> (Look, String) {
        if field.isHidden { return (.hidden, "the person does not see it") }
        if let stated = field.stated { return (.stated(stated.meaning), stated.ground) }
        if let type = field.type, passiveTypes.contains(type) { return (.apart, "its type is \(type)") }
        if let token = field.autocomplete.first(where: { $0.hasPrefix("cc-") }) {
            return (.payment, "its autocomplete is \(token)")
        }
        if let word = words.find(.trap) { return (.hidden, "its name says “\(word)”") }
        if field.type == "search" { return (.search, "its type is search") }
        let isPassword = field.isSecure || field.type == "password"
        if !isPassword, let word = words.find(.search) { return (.search, "its name says “\(word)”") }
        if let code = oneTimeCode(field, words, amongCards, isPassword) { return (.oneTimeCode, code) }
        if let word = words.find(.card) { return (.payment, "its name says “\(word)”") }
        if let word = words.find(.oneTimeCode), amongCards {
            return (.payment, "its name says “\(word)” beside a card's number")
        }
        if isPassword {
            if let word = words.find(.unrelated) { return (.apart, "its name says “\(word)”") }
            return (.password, field.isSecure ? "its text is hidden" : "its type is password")
        }
        return text(field, words)
    }

    private static func text(_ field: FormField, _ words: FieldWords) -> (Look, String) {
        // A show-password switch turns a password field into one of text.
        if field.type != "email", field.type != "tel", let word = words.find(.password), words.find(.email) == nil {
            return (.password, "its name says “\(word)”, though its text is shown")
        }
        if let token = field.autocomplete.first(where: known.contains) {
            if token.hasPrefix("tel") { return (.text(likelihood: 1), "its autocomplete is \(token)") }
            return (.apart, "its autocomplete is \(token)")
        }
        let isAddress = field.type == "email" || words.find(.email) != nil
        if words.find(.personName) == nil, let word = words.find(isAddress ? .login : .username) {
            return (.text(likelihood: 4), "its name says “\(word)”")
        }
        if field.type == "email" { return (.text(likelihood: 3), "its type is email") }
        if let word = words.find(.email), words.find(.unrelated) == nil {
            return (.text(likelihood: 3), "its name says “\(word)”")
        }
        if field.keyboardType == .emailAddress { return (.text(likelihood: 3), "its keyboard is for e-mail addresses") }
        for topic in [Vocabulary.unrelated, .personName, .birthday, .confirmation] {
            if let word = words.find(topic) { return (.apart, "its name says “\(word)”") }
        }
        if field.type == "number" { return (.apart, "its type is number") }
        if field.type == "tel" || field.keyboardType == .phonePad || words.find(.phone) != nil {
            return (.text(likelihood: 1), "it takes a telephone number")
        }
        return (.text(likelihood: 0), "it takes text")
    }

    /// Why the field is one for a one-time code; nil where it is none.
    private static func oneTimeCode(
        _ field: FormField, _ words: FieldWords, _ amongCards: Bool, _ isPassword: Bool
    ) -> String? {
        if amongCards { return nil }
        if let word = words.find(.oneTimeCode) { return "its name says “\(word)”" }
        let takesDigits =
            field.type == "tel" || field.type == "number" || field.keyboardType == .numberPad
            || field.pattern == "[0-9]*"
            || field.pattern == "\\d*"
        let isShort = field.maximumLength.map { (4...8).contains($0) } ?? false
        if !isPassword, takesDigits, isShort, words.tokens.contains("code") || words.tokens.contains("passcode") {
            return "its name says “code” and it takes \(field.maximumLength ?? 0) digits"
        }
        return nil
    }

    /// The web's tokens that say it is something else (HTML, 4.10.18.7).
    private static let known: Set = [
        "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname",
        "organization", "organization-title", "street-address", "address-line1", "address-line2", "address-line3",
        "address-level1", "address-level2", "address-level3", "address-level4", "country", "country-name",
        "postal-code",
        "bday", "bday-day", "bday-month", "bday-year", "sex", "url", "photo", "impp", "language", "transaction-amount",
        "transaction-currency", "tel", "tel-national", "tel-country-code", "tel-area-code", "tel-local",
        "tel-extension",
    ]
}

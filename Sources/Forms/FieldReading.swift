// SPDX-License-Identifier: Apache-2.0

/// A field by itself, before its place in the form is looked at: what it says, what it looks like. What the app says holds;
/// then its type, as far as that leaves no choice; then what the page declares, unless the field's words or its type gainsay
/// it; then its words.
struct FieldReading {
    enum Look {
        /// Said by the app or the page.
        case stated(ContentType)
        /// Hidden text, or text under a password's name.
        case password
        /// Text that may be a user name: the higher, the likelier. 4 is called one, 3 takes an e-mail address, 2 has a word that
        /// may mean one, 1 takes a telephone number or a name, 0 says nothing.
        case text(likelihood: Int)
        case oneTimeCode
        /// A code, it does not say which.
        case code
        case search
        case payment
        /// Not for AutoFill. What people are asked for elsewhere, such as a number, may still be the user name of a form that
        /// asks for nothing else beside its password.
        case apart(mayIdentify: Bool)
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

    var isSeen: Bool { if case .hidden = look { false } else { true } }

    /// Whether its text is hidden, or shown only because a switch says so.
    var isPassword: Bool { Self.isPassword(field) }

    private static func isPassword(_ field: FormField) -> Bool { field.isSecure || field.type == "password" }

    private static let passiveTypes: Set = [
        "checkbox", "radio", "submit", "button", "reset", "image", "file", "date", "range", "color", "url", "month",
        "week", "time", "datetime-local", "select-one", "select-multiple", "select", "textarea", "output",
    ]

    private static func read(_ field: FormField, _ words: FieldWords, _ amongCards: Bool) -> (Look, String) {
        if field.isHidden { return (.hidden, "the person does not see it") }
        if let contentType = field.contentType { return read(contentType) }
        if let type = field.type, passiveTypes.contains(type) {
            return (.apart(mayIdentify: false), "its type is \(type)")
        }
        if let trap = words.find(.trap) { return (.hidden, trap.ground) }
        let subject = words.subject
        if let declared = declared(field, words, subject?.topic) { return declared }
        if field.type == "search" { return (.search, "its type is search") }
        if isPassword(field) { return hiddenText(field, words, amongCards) }
        if let code = oneTimeCode(field, words, subject, amongCards) { return code }
        return text(field, words, subject)
    }

    private static func read(_ contentType: ContentType) -> (Look, String) {
        let ground = "its contentType is \(contentType.swiftName)"
        switch contentType {
        case .username, .emailAddress, .password, .newPassword, .oneTimeCode: return (.stated(contentType), ground)
        case .other: return (.apart(mayIdentify: false), "its contentType is none that AutoFill fills")
        default:
            let isCard = contentType.rawValue.hasPrefix("cc-")
            return (isCard ? .payment : .apart(mayIdentify: false), ground)
        }
    }

    /// Hidden text is a password, unless its words say that it is something else and not that it is one.
    private static func hiddenText(
        _ field: FormField, _ words: FieldWords, _ amongCards: Bool
    ) -> (Look, String) {
        if !words.has(.password) {
            if amongCards, let code = words.find(.securityCode) ?? words.find(.oneTimeCode) {
                return (.payment, "\(code.ground) beside a card's number")
            }
            if let card = words.find(.payment) { return (.payment, card.ground) }
            if let code = words.find(.oneTimeCode) ?? words.find(.securityCode) { return (.oneTimeCode, code.ground) }
            for topic in [Topic.securityAnswer, .captcha] {
                if let found = words.find(topic) { return (.apart(mayIdentify: false), found.ground) }
            }
        }
        return (.password, field.isSecure ? "its text is hidden" : "its type is password")
    }

    private static func oneTimeCode(
        _ field: FormField, _ words: FieldWords, _ subject: FieldWords.Found?, _ amongCards: Bool
    ) -> (Look, String)? {
        guard let subject, field.type != "email" else { return nil }
        switch subject.topic {
        case .securityCode where field.maximumLength ?? 6 < 5:
            return (.payment, "\(subject.ground) and it takes \(field.maximumLength ?? 0) digits, as on a card")
        case .oneTimeCode, .securityCode:
            let isCards = amongCards && field.maximumLength ?? 4 < 5
            return isCards ? (.payment, "\(subject.ground) beside a card's number") : (.oneTimeCode, subject.ground)
        case .code:
            let takesDigits =
                field.type == "tel" || field.type == "number" || field.keyboardType == .numberPad
                || field.keyboardType == .asciiCapableNumberPad || field.pattern == "[0-9]*" || field.pattern == "\\d*"
            let isShort = field.maximumLength.map { (4...8).contains($0) } ?? false
            if takesDigits, isShort, !amongCards {
                return (.oneTimeCode, "\(subject.ground) and it takes \(field.maximumLength ?? 0) digits")
            }
            return (.code, subject.ground)
        default: return nil
        }
    }

    private static func text(
        _ field: FormField, _ words: FieldWords, _ subject: FieldWords.Found?
    ) -> (Look, String) {
        if field.type == "email" {
            let name = words.find(.username) ?? words.find(.login)
            return (.text(likelihood: name == nil ? 3 : 4), name?.ground ?? "its type is email")
        }
        if let subject, let look = look(of: subject.topic, field) {
            if case .password = look { return (look, "\(subject.ground), though its text is shown") }
            return (look, subject.ground)
        }
        if field.type == "number" { return (.apart(mayIdentify: true), "its type is number") }
        if field.keyboardType == .emailAddress { return (.text(likelihood: 3), "its keyboard is for e-mail addresses") }
        if field.type == "tel" || field.keyboardType == .phonePad {
            return (.text(likelihood: 1), "it takes a telephone number")
        }
        if let subject, subject.topic == .bareAddress { return (.apart(mayIdentify: true), subject.ground) }
        if let subject { return (.text(likelihood: subject.topic == .account ? 2 : 1), subject.ground) }
        return (.text(likelihood: 0), "it takes text")
    }

    /// What a text with words on this topic looks like; nil where its type says more than they do.
    private static func look(of topic: Topic, _ field: FormField) -> Look? {
        let takesText = field.type != "tel" && field.type != "number"
        return switch topic {
        case .email: takesText ? .text(likelihood: 3) : nil
        // A show-password switch turns a password field into one of text.
        case .password, .pin: takesText ? .password : .apart(mayIdentify: true)
        case .username, .login: .text(likelihood: 4)
        case .phone: .text(likelihood: 1)
        case .search: .search
        case .payment: .payment
        case .personName, .birthday, .organization, .address, .matter: .apart(mayIdentify: true)
        case .captcha, .securityAnswer: .apart(mayIdentify: false)
        default: nil
        }
    }
}

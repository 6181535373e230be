// SPDX-License-Identifier: Apache-2.0

/// A field by itself, without its position in the form. In order of precedence: the app's content type; the field's
/// type, where it is unambiguous; the page's declaration, unless the field's words or its type contradict it; its
/// words.
struct FieldReading {
    enum Purpose {
        /// Stated by the app or the page.
        case stated(ContentType)
        /// Hidden text, or text under a password's name.
        case password
        /// Text that may be a user name: the higher, the likelier. 4 is called one, 3 accepts an e-mail address, 2 has
        /// a word that may mean one, 1 accepts a telephone number or a name, 0 has no hint.
        case text(likelihood: Int)
        case oneTimeCode
        /// A code of an unspecified kind.
        case code
        case search
        case payment
        /// Not for AutoFill. A value such as a number may still be the user name of a form that has no other field
        /// beside its password.
        case apart(mayIdentify: Bool)
        case hidden
    }

    let field: FormField
    let words: FieldWords
    let purpose: Purpose
    let ground: String

    init(_ field: FormField, _ words: FieldWords, among others: Others) {
        self.field = field
        self.words = words
        (purpose, ground) = Self.read(field, words, others)
    }

    var isSeen: Bool { if case .hidden = purpose { false } else { true } }

    /// Whether its text is hidden, or shown only because of a switch.
    var isPassword: Bool { Self.isPassword(field) }

    static func isPassword(_ field: FormField) -> Bool { field.isSecure || field.type == "password" }

    static let passiveTypes: Set = [
        "checkbox", "radio", "submit", "button", "reset", "image", "file", "date", "range", "color", "url", "month",
        "week", "time", "datetime-local", "select-one", "select-multiple", "select", "textarea", "output",
    ]

    private static func read(_ field: FormField, _ words: FieldWords, _ others: Others) -> (Purpose, String) {
        if field.isHidden { return (.hidden, "the user does not see it") }
        if let contentType = field.contentType { return read(contentType) }
        if let type = field.type, passiveTypes.contains(type) {
            return (.apart(mayIdentify: false), "its type is \(type)")
        }
        if let trap = words.trap { return (.hidden, trap.ground) }
        let subject = words.subject
        if let declared = declared(field, words, subject?.topic) { return declared }
        if field.type == "search" { return (.search, "its type is search") }
        if isPassword(field) { return hiddenText(field, words, others.haveCard) }
        if let code = oneTimeCode(field, words, subject, others.haveCard) { return code }
        return text(field, words, subject, others)
    }

    private static func read(_ contentType: ContentType) -> (Purpose, String) {
        let ground = "its contentType is \(contentType.swiftName)"
        switch contentType {
        case .username, .emailAddress, .password, .newPassword, .oneTimeCode: return (.stated(contentType), ground)
        case .other: return (.apart(mayIdentify: false), "its contentType is none that AutoFill fills")
        default:
            let isCard = contentType.rawValue.hasPrefix("cc-")
            return (isCard ? .payment : .apart(mayIdentify: false), ground)
        }
    }

    /// Hidden text is a password, unless its words only name another purpose.
    private static func hiddenText(
        _ field: FormField, _ words: FieldWords, _ amongCards: Bool
    ) -> (Purpose, String) {
        if !words.has(.password) {
            if amongCards, let code = words.find(.securityCode) ?? words.find(.oneTimeCode) {
                return (.payment, "\(code.ground) beside a card's number")
            }
            if let card = words.find(.payment) { return (.payment, card.ground) }
            if let code = words.find(.oneTimeCode) { return (.oneTimeCode, code.ground) }
            if let code = words.find(.securityCode) {
                let isCards = field.maximumLength ?? 6 < 5
                return isCards ? (.payment, "\(code.ground) with few digits") : (.oneTimeCode, code.ground)
            }
            for topic in [Topic.securityAnswer, .captcha] {
                if let found = words.find(topic) { return (.apart(mayIdentify: false), found.ground) }
            }
        }
        return (.password, field.isSecure ? "its text is hidden" : "its type is password")
    }

    private static func oneTimeCode(
        _ field: FormField, _ words: FieldWords, _ subject: FieldWords.Found?, _ amongCards: Bool
    ) -> (Purpose, String)? {
        guard let subject, field.type != "email" else { return nil }
        if let sent = sentCode(field, words, subject.topic) {
            return (.oneTimeCode, "\(sent.ground), sent to the user")
        }
        switch subject.topic {
        case .securityCode where field.maximumLength ?? 6 < 5:
            return (.payment, "\(subject.ground) and it accepts \(field.maximumLength ?? 0) digits, as on a card")
        case .oneTimeCode, .securityCode:
            let isCards = amongCards && field.maximumLength ?? 4 < 5
            return isCards ? (.payment, "\(subject.ground) beside a card's number") : (.oneTimeCode, subject.ground)
        case .code:
            let acceptsDigits =
                field.type == "tel" || field.type == "number" || field.keyboardType == .numberPad
                || field.keyboardType == .asciiCapableNumberPad || field.pattern == "[0-9]*" || field.pattern == "\\d*"
            let isShort = field.maximumLength.map { (4...8).contains($0) } ?? false
            if acceptsDigits, isShort, !amongCards {
                return (.oneTimeCode, "\(subject.ground) and it accepts \(field.maximumLength ?? 0) digits")
            }
            return (.code, subject.ground)
        default: return nil
        }
    }

    /// “The code that we sent to your phone”, and a name such as `activationCode` under the label of a telephone.
    private static func sentCode(_ field: FormField, _ words: FieldWords, _ subject: Topic) -> FieldWords.Found? {
        guard subject == .phone || subject == .email, field.maximumLength ?? 4 > 3 else { return nil }
        for source in words.sources {
            let target = source.hits.first { $0.topic == .phone || $0.topic == .email }
            for hit in source.hits where hit.topic == .code || hit.topic == .oneTimeCode {
                let isSent =
                    source.isCode
                    ? target == nil && (hit.topic == .oneTimeCode || subject == .phone) : hit.start < target?.start ?? 0
                if isSent { return FieldWords.Found(hit, in: source) }
            }
        }
        return nil
    }
}

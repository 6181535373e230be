// SPDX-License-Identifier: Apache-2.0

/// Which text may be a user name, by its words and its type.
extension FieldReading {
    static func text(
        _ field: FormField, _ words: FieldWords, _ subject: FieldWords.Found?, _ others: Others
    ) -> (Purpose, String) {
        if field.type == "email" {
            let name = words.find(.username) ?? words.find(.login)
            return (.text(likelihood: name == nil ? 3 : 4), name?.ground ?? "its type is email")
        }
        if others.haveName, let subject, let found = lesser(words, subject.topic) {
            return (.text(likelihood: 1), "\(found.ground) beside an e-mail address or a user name")
        }
        if let subject, let purpose = purpose(of: subject.topic, field) {
            if case .password = purpose { return (purpose, "\(subject.ground), though its text is shown") }
            return (purpose, subject.ground)
        }
        if field.type == "number" { return (.apart(mayIdentify: true), "its type is number") }
        if field.keyboardType == .emailAddress { return (.text(likelihood: 3), "its keyboard is for e-mail addresses") }
        if field.type == "tel" || field.keyboardType == .phonePad {
            return (.text(likelihood: 1), "it accepts a telephone number")
        }
        if let subject, subject.topic == .bareAddress { return (.apart(mayIdentify: true), subject.ground) }
        if let subject { return (.text(likelihood: subject.topic == .account ? 2 : 1), subject.ground) }
        return (.text(likelihood: 0), "it accepts text")
    }

    /// The words that call a field a nickname, a number or a telephone's, where an e-mail address is asked for too: that
    /// is what one signs in with, however else the field is called. “E-mail or member number” is both.
    private static func lesser(_ words: FieldWords, _ subject: Topic) -> FieldWords.Found? {
        if words.offersChoice { return nil }
        switch subject {
        case .username, .alias:
            // “Nickname (your user name)” is one, and so is what the page's author calls so.
            let isUsername = words.sources.contains { $0.has(.username) && ($0.isCode || $0.has(.alias)) }
            return isUsername ? nil : words.find(.alias)
        case .login: return words.find(.phone)
        default: return nil
        }
    }

    /// The purpose of a text with words on this topic; nil where its type is more specific.
    private static func purpose(of topic: Topic, _ field: FormField) -> Purpose? {
        let acceptsText = field.type != "tel" && field.type != "number"
        return switch topic {
        case .email: acceptsText ? .text(likelihood: 3) : nil
        // A show-password switch makes a password field one of text.
        case .password, .pin: acceptsText ? .password : .apart(mayIdentify: true)
        case .username, .alias, .login: .text(likelihood: 4)
        case .phone: .text(likelihood: 1)
        case .search: .search
        case .payment: .payment
        case .personName, .birthday, .organization, .address, .matter: .apart(mayIdentify: true)
        case .captcha, .securityAnswer: .apart(mayIdentify: false)
        default: nil
        }
    }
}

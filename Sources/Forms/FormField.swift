// SPDX-License-Identifier: Apache-2.0

/// Apple's UITextContentType, as far as AutoFill looks at it. The raw values are Apple's.
package enum ContentType: String, CaseIterable, Sendable {
    case username, emailAddress, password, newPassword, oneTimeCode
}

/// Apple's UIKeyboardType, as far as AutoFill looks at it.
package enum KeyboardType: String, CaseIterable, Sendable {
    case `default`, emailAddress, numberPad, phonePad, asciiCapable
}

/// One field of a form that an app shows, as it is at that moment.
package struct FormField: Hashable, Sendable {
    /// The app's own name for the field, unique in the form.
    package let id: String
    /// What the app says it is for; wins over `autocomplete`.
    package let contentType: ContentType?
    /// Whether its text is hidden now. A show-password switch makes it false.
    package let isSecure: Bool
    package let keyboardType: KeyboardType?
    /// The web's autocomplete tokens, in lower case.
    package let autocomplete: [String]
    /// A password rules descriptor, as it stands in the app.
    package let passwordRules: String?
    /// In characters; they tighten the rules.
    package let minimumLength: Int?
    package let maximumLength: Int?

    package init(
        id: String, contentType: ContentType? = nil, isSecure: Bool = false, keyboardType: KeyboardType? = nil,
        autocomplete: [String] = [], passwordRules: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil
    ) {
        self.id = id
        self.contentType = contentType
        self.isSecure = isSecure
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }

    /// The content type, or what the web's words say where there is none.
    package var meaning: ContentType? {
        if let contentType { return contentType }
        for token in autocomplete {
            switch token {
            case "username": return .username
            case "email": return .emailAddress
            case "new-password": return .newPassword
            case "current-password": return .password
            case "one-time-code": return .oneTimeCode
            default: continue
            }
        }
        return nil
    }
}

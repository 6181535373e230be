// SPDX-License-Identifier: Apache-2.0

/// One field of a form that an app shows, as it is at that moment.
package struct FormField: Hashable, Sendable {
    /// The app's own name for the field, unique in the form.
    package let id: String
    /// Its purpose as the app states it; overrides `autocomplete`.
    package let contentType: ContentType?
    /// Whether its text is hidden now. A show-password switch makes it false.
    package let isSecure: Bool
    package let keyboardType: KeyboardType?
    /// The web's autocomplete tokens, in lower case.
    package let autocomplete: [String]
    /// A password rules descriptor, as written in the app.
    package let passwordRules: String?
    /// In characters; they tighten the rules.
    package let minimumLength: Int?
    package let maximumLength: Int?
    /// HTML's input type, in lower case; `select-one`, `select-multiple` and `textarea` for those elements.
    package let type: String?
    package let name: String?
    package let label: String?
    package let placeholder: String?
    /// HTML's pattern: a regular expression for the whole value.
    package let pattern: String?
    /// Whether the user cannot see the field at all: it is never filled.
    package let isHidden: Bool
    /// Identifies the value: fields with the same value have the same number. nil where it is empty or not given.
    package let valueMark: Int?

    package init(
        id: String, contentType: ContentType? = nil, isSecure: Bool = false, keyboardType: KeyboardType? = nil,
        autocomplete: [String] = [], passwordRules: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
        type: String? = nil, name: String? = nil, label: String? = nil, placeholder: String? = nil,
        pattern: String? = nil, isHidden: Bool = false, valueMark: Int? = nil
    ) {
        self.id = id
        self.contentType = contentType
        self.isSecure = isSecure
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.type = type
        self.name = name
        self.label = label
        self.placeholder = placeholder
        self.pattern = pattern
        self.isHidden = isHidden || type == "hidden"
        self.valueMark = valueMark
    }

    /// Whether it only names the user of the form's password for a password manager.
    var isHiddenUsername: Bool {
        isHidden && (contentType.map { $0 == .username } ?? autocomplete.contains("username"))
    }
}

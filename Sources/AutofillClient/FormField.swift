// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import PasswordRules

/// One text field of a form, as it is shown at this moment: what `UITextInputTraits` says of a field on iOS.
public struct FormField: Hashable, Sendable, Identifiable {
    /// The app's own name for the field, unique in its form; values come back under it. 1 to 256 bytes.
    public var id: String
    /// What the field is for.
    public var textContentType: TextContentType?
    /// Whether the text is hidden now. A show-password switch makes it false, and there is no offer while it shows.
    public var isSecureTextEntry: Bool
    /// The keyboard of the field.
    public var keyboardType: KeyboardType?
    /// The web's autocomplete tokens, for forms that came from the web; `textContentType` wins.
    public var autocomplete: String?
    /// The rules for a new password. A confirmation field takes those of the field before it.
    public var passwordRules: PasswordRules?
    /// The least length the field takes, in characters. It and the next tighten the rules.
    public var minimumLength: Int?
    /// The greatest length the field takes, in characters.
    public var maximumLength: Int?
    /// HTML's words for the field, where the form came from the web.
    public var html: HTMLAttributes?

    /// A field.
    public init(
        _ id: String, _ textContentType: TextContentType? = nil, isSecureTextEntry: Bool = false,
        keyboardType: KeyboardType? = nil, autocomplete: String? = nil, passwordRules: PasswordRules? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil, html: HTMLAttributes? = nil
    ) {
        self.id = id
        self.textContentType = textContentType
        self.isSecureTextEntry = isSecureTextEntry
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.html = html
    }

    /// What an `<input>` says of itself. Where no content type and no `autocomplete` says what the field is for, the
    /// service reads these as a browser does.
    ///
    /// ```swift
    /// FormField("pw", autocomplete: "new-password", maximumLength: 32,
    ///           html: .init(type: "password", name: "password", pattern: "[A-Za-z0-9]{8,32}"))
    /// ```
    public struct HTMLAttributes: Hashable, Sendable {
        /// The input's type; with `password` the text counts as hidden.
        public var type: String?
        /// The name under which the value is sent, 256 bytes at most.
        public var name: String?
        /// What people read beside the field, 1,024 bytes at most.
        public var label: String?
        /// What people read in the field while it is empty, 1,024 bytes at most.
        public var placeholder: String?
        /// A regular expression for the whole value, 1,024 bytes at most. For a new password it tightens the rules where
        /// it says no more than rules can (protocol.md, "Patterns").
        public var pattern: String?
        /// A password rules descriptor as it stands in the page, read leniently; ``FormField/passwordRules`` wins.
        public var passwordrules: String?
        /// Whether the person cannot see the field at all: it is never filled.
        public var isHidden: Bool

        /// What is left out the page does not say.
        public init(
            type: String? = nil, name: String? = nil, label: String? = nil, placeholder: String? = nil,
            pattern: String? = nil, passwordrules: String? = nil, isHidden: Bool = false
        ) {
            self.type = type
            self.name = name
            self.label = label
            self.placeholder = placeholder
            self.pattern = pattern
            self.passwordrules = passwordrules
            self.isHidden = isHidden
        }
    }
}

extension FieldDescription {
    init(_ field: FormField) {
        let html = field.html ?? FormField.HTMLAttributes()
        self.init(
            id: field.id, contentType: field.textContentType?.rawValue,
            isSecure: field.isSecureTextEntry || html.type?.lowercased() == "password",
            keyboardType: field.keyboardType?.rawValue, autocomplete: field.autocomplete,
            passwordRules: field.passwordRules?.description ?? html.passwordrules, minimumLength: field.minimumLength,
            maximumLength: field.maximumLength, type: html.type, name: html.name, label: html.label,
            placeholder: html.placeholder, pattern: html.pattern, isHidden: html.isHidden)
    }
}

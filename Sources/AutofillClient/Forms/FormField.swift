// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import PasswordRules

/// One text field of a form, as it is shown at this moment: the `UITextInputTraits` of a field on iOS.
public struct FormField: Hashable, Sendable, Identifiable {
    /// The id of the field, unique in its form, 1 to 256 bytes. Values are returned by this id.
    public var id: String
    /// The content type of the field.
    public var textContentType: TextContentType?
    /// Whether the text is hidden now. A show-password switch sets it to false; then there is no offer.
    public var isSecureTextEntry: Bool
    /// The keyboard of the field.
    public var keyboardType: KeyboardType?
    /// The autocomplete tokens of HTML, for a form of a web page; `textContentType` takes precedence.
    public var autocomplete: String?
    /// The rules for a new password. A confirmation field has those of the field before it.
    public var passwordRules: PasswordRules?
    /// The minimum length, in characters. The minimum and the maximum restrict the rules.
    public var minimumLength: Int?
    /// The maximum length, in characters.
    public var maximumLength: Int?
    /// The HTML attributes of the field, for a form of a web page.
    public var html: HTMLAttributes?

    /// Creates a field.
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

    /// The attributes of an `<input>`. If neither the content type nor `autocomplete` is set, the service reads these as a
    /// browser does.
    ///
    /// ```swift
    /// FormField("pw", autocomplete: "new-password", maximumLength: 32,
    ///           html: .init(type: "password", name: "password", pattern: "[A-Za-z0-9]{8,32}"))
    /// ```
    public struct HTMLAttributes: Hashable, Sendable {
        /// The input's type; with `password` the text counts as hidden.
        public var type: String?
        /// The name under which the value is sent, at most 256 bytes.
        public var name: String?
        /// The label beside the field, at most 1,024 bytes.
        public var label: String?
        /// The placeholder, at most 1,024 bytes.
        public var placeholder: String?
        /// A regular expression for the whole value, at most 1,024 bytes. For a new password it restricts the rules
        /// if it can be expressed by rules (protocol.md, "Patterns").
        public var pattern: String?
        /// A password rules descriptor of the page, read leniently; ``FormField/passwordRules`` takes precedence.
        public var passwordrules: String?
        /// Whether the user cannot see the field: then it is never filled.
        public var isHidden: Bool

        /// Creates attributes. Those that the page does not have are nil.
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

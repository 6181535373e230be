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
    /// The least length the field takes, in characters.
    public var minimumLength: Int?
    /// The greatest length the field takes, in characters.
    public var maximumLength: Int?

    /// A field.
    public init(
        _ id: String, _ textContentType: TextContentType? = nil, isSecureTextEntry: Bool = false,
        keyboardType: KeyboardType? = nil, autocomplete: String? = nil, passwordRules: PasswordRules? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil
    ) {
        self.id = id
        self.textContentType = textContentType
        self.isSecureTextEntry = isSecureTextEntry
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }
}

extension FieldDescription {
    init(_ field: FormField) {
        self.init(
            id: field.id, contentType: field.textContentType?.rawValue, isSecure: field.isSecureTextEntry,
            keyboardType: field.keyboardType?.rawValue, autocomplete: field.autocomplete,
            passwordRules: field.passwordRules?.description, minimumLength: field.minimumLength,
            maximumLength: field.maximumLength)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a text field is for: Apple's `UITextContentType`, with its raw values.
public struct TextContentType: RawRepresentable, Hashable, Sendable {
    /// Apple's raw value.
    public let rawValue: String

    /// A content type by Apple's raw value; those that AutoFill does not know have no meaning to it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user name, which may be an e-mail address.
    public static let username = TextContentType(rawValue: "username")
    /// An e-mail address that is not the user name.
    public static let emailAddress = TextContentType(rawValue: "email")
    /// The password of a user who is there already.
    public static let password = TextContentType(rawValue: "password")
    /// A password to be made: the one content type that gets a strong password.
    public static let newPassword = TextContentType(rawValue: "new-password")
    /// A security code.
    public static let oneTimeCode = TextContentType(rawValue: "one-time-code")
}

/// What a field's keyboard shows: Apple's `UIKeyboardType`, as far as AutoFill looks at it.
public enum KeyboardType: String, Hashable, Sendable, CaseIterable {
    /// The keyboard for any text.
    case `default`
    /// For an e-mail address.
    case emailAddress
    /// For a PIN.
    case numberPad
    /// For a telephone number.
    case phonePad
    /// For ASCII.
    case asciiCapable
}

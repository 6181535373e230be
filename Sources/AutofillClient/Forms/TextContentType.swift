// SPDX-License-Identifier: Apache-2.0

/// The content type of a text field: Apple's `UITextContentType`, with its raw values.
public struct TextContentType: RawRepresentable, Hashable, Sendable {
    /// Apple's raw value.
    public let rawValue: String

    /// - Parameter rawValue: Apple's raw value. AutoFill ignores those that it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user name, which may be an e-mail address.
    public static let username = TextContentType(rawValue: "username")
    /// An e-mail address that is not the user name.
    public static let emailAddress = TextContentType(rawValue: "email")
    /// The password of an existing account.
    public static let password = TextContentType(rawValue: "password")
    /// A new password: the only content type that gets a strong password.
    public static let newPassword = TextContentType(rawValue: "new-password")
    /// A one-time code.
    public static let oneTimeCode = TextContentType(rawValue: "one-time-code")
}

/// The keyboard of a field: the values of Apple's `UIKeyboardType` that AutoFill uses.
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

// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

/// The role of a field in its form.
public struct FieldRole: ProtocolWord {
    /// The value on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the value on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user name, which may be an e-mail address.
    public static let username = Self(rawValue: "username")
    /// An e-mail address that is not the user name.
    public static let emailAddress = Self(rawValue: "emailAddress")
    /// The current password.
    public static let password = Self(rawValue: "password")
    /// A new password.
    public static let newPassword = Self(rawValue: "newPassword")
    /// The new password, repeated.
    public static let confirmation = Self(rawValue: "confirmation")
    /// A one-time code.
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    /// A search text.
    public static let search = Self(rawValue: "search")
    /// The number, holder, date or check digits of a card.
    public static let payment = Self(rawValue: "payment")
    /// A field that the user cannot see. It is never filled.
    public static let hidden = Self(rawValue: "hidden")
    /// Any other field.
    public static let other = Self(rawValue: "other")
}

// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

/// The kind of a form.
public struct FormKind: ProtocolWord {
    /// The value on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the value on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an account.
    public static let signUp = Self(rawValue: "signUp")
    /// Signs in to an account.
    public static let signIn = Self(rawValue: "signIn")
    /// Changes the password of an account.
    public static let changePassword = Self(rawValue: "changePassword")
    /// Asks for a one-time code only.
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    /// Any other form.
    public static let other = Self(rawValue: "other")
}

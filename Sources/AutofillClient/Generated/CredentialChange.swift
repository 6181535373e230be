// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

/// A change of a credential.
public struct CredentialChange: ProtocolWord {
    /// The value on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the value on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is new or was changed.
    public static let saved = Self(rawValue: "saved")
    /// It was deleted.
    public static let deleted = Self(rawValue: "deleted")
}

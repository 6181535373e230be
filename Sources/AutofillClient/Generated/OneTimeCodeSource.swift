// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

/// The source of a one-time code.
public struct OneTimeCodeSource: ProtocolWord {
    /// The value on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the value on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Computed from the time (TOTP).
    public static let time = Self(rawValue: "time")
    /// Computed from a counter (HOTP).
    public static let counter = Self(rawValue: "counter")
    /// Received by another app.
    public static let incoming = Self(rawValue: "incoming")
}

// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

/// How far the app's identity can be trusted, from the kernel's evidence.
public struct AppAssurance: ProtocolWord {
    /// The value on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the value on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A sandbox proves it: a Flatpak.
    public static let sandboxed = Self(rawValue: "sandboxed")
    /// A root-owned program that a root-owned registration names.
    public static let installed = Self(rawValue: "installed")
    /// The desktop started it as this app.
    public static let attributed = Self(rawValue: "attributed")
    /// Only the app itself states it.
    public static let claimed = Self(rawValue: "claimed")
    /// The evidence contradicts the app's statement.
    public static let none = Self(rawValue: "none")
}

// SPDX-License-Identifier: Apache-2.0

/// A word of the protocol's, of a set that may grow: one that this version of the library does not know is kept as it came.
public protocol ProtocolWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    /// A word as it stands on the wire.
    init(rawValue: String)
}

extension ProtocolWord {
    /// As it stands on the wire.
    public var description: String { rawValue }
}

/// What a form was taken for.
public struct FormKind: ProtocolWord {
    /// As it stands on the wire.
    public let rawValue: String

    /// A word as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Somebody new.
    public static let signUp = Self(rawValue: "signUp")
    /// Somebody who is there already.
    public static let signIn = Self(rawValue: "signIn")
    /// Another password for somebody who is there already.
    public static let changePassword = Self(rawValue: "changePassword")
    /// A security code alone.
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    /// Nothing of AutoFill's.
    public static let other = Self(rawValue: "other")
}

/// What a field of a form was taken for.
public struct FieldRole: ProtocolWord {
    /// As it stands on the wire.
    public let rawValue: String

    /// A word as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user name, which may be an e-mail address.
    public static let username = Self(rawValue: "username")
    /// An e-mail address that is not the user name.
    public static let emailAddress = Self(rawValue: "emailAddress")
    /// The password of now.
    public static let password = Self(rawValue: "password")
    /// A password to be made.
    public static let newPassword = Self(rawValue: "newPassword")
    /// The new password once more.
    public static let confirmation = Self(rawValue: "confirmation")
    /// A security code.
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    /// What is looked for.
    public static let search = Self(rawValue: "search")
    /// A card's number, holder, date or check digits.
    public static let payment = Self(rawValue: "payment")
    /// A field that nobody sees: it is never filled.
    public static let hidden = Self(rawValue: "hidden")
    /// Nothing of AutoFill's.
    public static let other = Self(rawValue: "other")
}

/// How far the app's identity can be trusted, from the kernel's evidence.
public struct AppAssurance: ProtocolWord {
    /// As it stands on the wire.
    public let rawValue: String

    /// A word as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A sandbox vouches for it: a Flatpak.
    public static let sandboxed = Self(rawValue: "sandboxed")
    /// A root-owned program that a root-owned registration names.
    public static let installed = Self(rawValue: "installed")
    /// The desktop started it as this app.
    public static let attributed = Self(rawValue: "attributed")
    /// Its own word alone.
    public static let claimed = Self(rawValue: "claimed")
    /// The evidence contradicts its word.
    public static let none = Self(rawValue: "none")
}

/// Where a one-time code comes from.
public struct OneTimeCodeSource: ProtocolWord {
    /// As it stands on the wire.
    public let rawValue: String

    /// A word as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new one each so many seconds: TOTP.
    public static let time = Self(rawValue: "time")
    /// A new one each time: HOTP.
    public static let counter = Self(rawValue: "counter")
    /// Another app received it.
    public static let incoming = Self(rawValue: "incoming")
}

/// What became of a credential.
public struct CredentialChange: ProtocolWord {
    /// As it stands on the wire.
    public let rawValue: String

    /// A word as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is new, or another than before.
    public static let saved = Self(rawValue: "saved")
    /// It is gone.
    public static let deleted = Self(rawValue: "deleted")
}

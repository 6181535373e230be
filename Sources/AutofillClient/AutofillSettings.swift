// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The settings that decide about the app.
public struct AutofillSettings: Hashable, Sendable {
    /// Whether the keychain is on.
    public let isKeychainOn: Bool
    /// Whether AutoFill is on.
    public let isAutoFillOn: Bool
    /// Whether strong passwords are on for this app.
    public let areStrongPasswordsOn: Bool

    init(_ settings: AppSettings) {
        isKeychainOn = settings.keychain
        isAutoFillOn = settings.autoFill
        areStrongPasswordsOn = settings.strongPasswords
    }
}

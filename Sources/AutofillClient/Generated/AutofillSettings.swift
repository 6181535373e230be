// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The settings that decide about the app.
public struct AutofillSettings: Hashable, Sendable {
    /// Whether the keychain is on.
    public let isKeychainOn: Bool
    /// Whether AutoFill is on.
    public let isAutoFillOn: Bool
    /// Whether strong passwords are on for this app.
    public let areStrongPasswordsOn: Bool

    init(_ report: AppSettings) {
        isKeychainOn = report.keychain
        isAutoFillOn = report.autoFill
        areStrongPasswordsOn = report.strongPasswords
    }
}
